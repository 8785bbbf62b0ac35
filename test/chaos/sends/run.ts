/**
 * Kills the gateway with SIGKILL at random moments, with --threads also the threads that host its numbers, again and again on the same data, while six numbers talk: each writes to a friend and
 * into a group as fast as it may, and the friend writes back in both. In the end every message that was accepted must be on the friend's
 * phone exactly once, in order, its webhook must have been told once what became of it and what it said, and every word of the friend and of the owner,
 * who writes with the phone, every other wording of one, every new name of the group and all that the owner does with a chat must have become an event;
 * and what the number keeps of its conversations must be all of that, as it was last worded, with what was said before it was linked, and nothing else. The network is a process of its own, which nobody kills.
 *
 *     npm test -- sends [--rounds 200] [--database sqlite|postgres] [--threads 2] [--seed N]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSeededRandom, systemRandom } from '@parley/gateway/kernel';
import { add, examine, isClean, NOTHING_FOUND, tell } from '../traffic/examine.ts';
import { type BusyNumber, linkBusyNumber } from '../traffic/number.ts';
import { startWitness } from '../traffic/witness.ts';
import { startHarness, type TestHarness } from './harness.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    database: { type: 'string', default: 'sqlite' },
    threads: { type: 'string', default: '0' },
    seed: { type: 'string', default: `${systemRandom.below(2 ** 31)}` },
  },
});
const rounds = Number(values.rounds);
const chance = createSeededRandom(Number(values.seed));
const NUMBERS = 6;
/** A hundred messages without a gap pause a number for five minutes, so it is replaced before it gets there. */
const ROUNDS_PER_FLEET = 10;
const LONGEST_LIFE_MS = 3_000;

async function killAgainAndAgain(
  { gateway }: TestHarness,
  fleet: readonly BusyNumber[],
  times: number,
): Promise<void> {
  for (let round = 0; round < times; round++) {
    const stop = new AbortController();
    const talking = fleet.map((number) => number.keepTalking(stop.signal));
    await sleep(chance.below(LONGEST_LIFE_MS));
    // Half of the time the next process dies while it is still picking up what the last one left behind.
    const crashes = 1 + chance.below(2);
    for (let crash = 0; crash < crashes; crash++) await gateway.crash();
    kills += crashes;
    stop.abort();
    await Promise.all(talking);
  }
}

console.log(`seed ${values.seed}`);
const witness = await startWitness();
const harness = await startHarness(values.database, values.threads);
const urls = { status_url: witness.url, messages_url: witness.url, events_url: witness.url };
let total = NOTHING_FOUND;
let kills = 0;
try {
  for (let done = 0; done < rounds; done += ROUNDS_PER_FLEET) {
    const fleet = await Promise.all(
      Array.from({ length: NUMBERS }, () => linkBusyNumber(harness.gateway, harness.network, urls)),
    );
    await killAgainAndAgain(harness, fleet, Math.min(ROUNDS_PER_FLEET, rounds - done));
    const found = await Promise.all(fleet.map((number) => examine(harness.network, number, witness)));
    total = found.reduce(add, total);
    if (done + ROUNDS_PER_FLEET < rounds) console.log(tell(`${kills} kills`, total));
  }
} finally {
  await harness.stop();
  witness.close();
}
console.log(tell(`${kills} kills`, total));
process.exitCode = isClean(total) ? 0 : 1;
