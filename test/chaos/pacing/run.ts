/**
 * An integrator who honours `Retry-After` sends order notices to people whom its number never wrote to, in a network that
 * restricts numbers with too many new chats within any 24 hours. With pacing all are sent and the network never restricts the
 * number, however often the gateway is killed meanwhile, and the counts are right; without it the same network restricts the
 * number on the first day.
 *
 * Then a number that the network restricts, caps and releases again, while the gateway is killed in every round: see
 * `standing.ts`.
 *
 * npm test -- pacing [--people 2000] [--per-day 40] [--kills 100] [--rounds 100] [--seed N]
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSeededRandom, systemRandom } from '@parley/gateway/kernel';
import { startGateway } from '../../conformance/gateway.ts';
import { linkNumber, newPhone } from '../linked-number.ts';
import { Integrator } from './integrator.ts';
import { killWhile, untilOnline } from './interruptions.ts';
import { throughStandings } from './standing.ts';

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '2000' },
    'per-day': { type: 'string', default: '40' },
    kills: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: `${systemRandom.below(2 ** 31)}` },
  },
});
const people = Number(values.people);
const perDay = Number(values['per-day']);
const kills = Number(values.kills);
const chance = createSeededRandom(Number(values.seed));
const PEOPLE_PER_REPORT = 200;

console.log(`seed ${values.seed}`);
const gateway = await startGateway();
try {
  if (people > 0) {
    await gateway.sandbox('PUT', '/rules', { restrict_after_new_chats_per_day: perDay });
    await reckless();
    await paced();
    await gateway.sandbox('PUT', '/rules', {});
  }
  await throughStandings(gateway, { rounds: Number(values.rounds), chance });
} finally {
  await gateway.stop();
}

/** Pacing is off: the network restricts the number. */
async function reckless(): Promise<void> {
  const integrator = new Integrator(gateway, await linkNumber(gateway));
  const recipients = await Promise.all(Array.from({ length: perDay + 1 }, () => newPhone(gateway)));
  for (const recipient of recipients) await integrator.write(recipient);
  for (let waited = 0; !(await integrator.isRestricted()) && waited < 20_000; waited += 50) await sleep(50);
  assert.ok(await integrator.isRestricted(), 'the network did not restrict a number that asked for it');
  assert.ok(integrator.travelledSeconds < 86_400);
  console.log(`without pacing: restricted after ${perDay + 1} people, on the first day`);
}

async function paced(): Promise<void> {
  const number = await linkNumber(gateway);
  const path = `/sessions/${encodeURIComponent(number.sessionId)}/pacing`;
  const chosen = await number.call('PUT', path, { daily_new_chats: perDay, warm_up_days: 5 });
  assert.equal(chosen.status, 200, JSON.stringify(chosen.body));
  const integrator = new Integrator(gateway, number);
  const killsAt = new Set(Array.from({ length: kills }, () => chance.below(people)));
  let killed = 0;
  for (let person = 0; person < people; person += 1) {
    const recipient = await newPhone(gateway);
    if (killsAt.has(person)) {
      await killWhile(gateway, chance, () => integrator.tryToWrite(recipient));
      killed += 1;
    }
    await untilOnline(integrator);
    await integrator.write(recipient);
    assert.equal(await integrator.isRestricted(), false, `restricted after ${person + 1} people`);
    if ((person + 1) % PEOPLE_PER_REPORT === 0) report(integrator, killed);
  }
  await integrator.untilSent();
  assert.equal(await integrator.total('sent'), people);
  assert.equal(await integrator.total('new_chats'), people);
  assert.equal(await integrator.total('refused_463_unknown'), 0);
  assert.ok((await integrator.total('held_back')) >= integrator.held);
  const { state } = await integrator.health();
  assert.equal(state, 'healthy');
  report(integrator, killed);
}

function report({ accepted, held, travelledSeconds }: Integrator, killed: number): void {
  const days = (travelledSeconds / 86_400).toFixed(1);
  console.log(
    `with pacing: ${accepted} people in ${days} days, asked to wait ${held} times, ${killed} kills, 0 restrictions`,
  );
}
