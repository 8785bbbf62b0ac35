/**
 * Kills the gateway with SIGKILL at random moments, again and again on the same data, while six numbers send as fast as they may. In the
 * end every message that was accepted must be on its phone exactly once, in order, and its webhook must have been told once what became of it.
 *
 *     node test/chaos/sends/run.ts [--rounds 200] [--seed N]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSeededRandom, systemRandom } from '@parley/gateway/kernel';
import { type OwnGateway, startGateway } from '../../conformance/gateway.ts';
import { until } from '../linked-number.ts';
import { type BusyNumber, linkBusyNumber } from './number.ts';
import { startWitness, type Witness } from './witness.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: `${systemRandom.below(2 ** 31)}` },
  },
});
const rounds = Number(values.rounds);
const chance = createSeededRandom(Number(values.seed));
const NUMBERS = 6;
/** A hundred messages without a gap pause a number for five minutes, so it is replaced before it gets there. */
const ROUNDS_PER_FLEET = 8;
const LONGEST_LIFE_MS = 3_000;

interface Findings {
  accepted: number;
  lost: number;
  doubled: number;
  disordered: number;
  untold: number;
  toldTwice: number;
}

async function killAgainAndAgain(
  gateway: OwnGateway,
  fleet: readonly BusyNumber[],
  times: number,
): Promise<void> {
  for (let round = 0; round < times; round++) {
    const stop = new AbortController();
    const sending = fleet.map((number) => number.keepSending(stop.signal));
    await sleep(chance.below(LONGEST_LIFE_MS));
    // Now and then the next process dies while it is still picking up what the last one left behind.
    if (chance.below(3) === 0) await gateway.crash();
    await gateway.crash();
    stop.abort();
    await Promise.all(sending);
  }
}

async function examine(gateway: OwnGateway, number: BusyNumber, witness: Witness): Promise<Findings> {
  const ids = number.accepted.map(({ messageId }) => messageId);
  const untold = (): string[] => ids.filter((id) => witness.tellingsOf(id).size === 0);
  // Whatever has not been told by then is counted below.
  await until('the last status event', untold, ({ length }) => length === 0).catch(() => {});
  const { messages } = await gateway.sandbox<{ messages: { text: string }[] }>(
    'GET',
    `/phones/${number.friend}/messages`,
  );
  const shown = messages.map(({ text }) => text);
  const sent = number.accepted.map(({ text }) => text);
  return {
    accepted: sent.length,
    lost: sent.filter((text) => !shown.includes(text)).length,
    doubled: shown.length - new Set(shown).size,
    disordered: [...new Set(shown)].filter((text, place) => text !== sent[place]).length,
    untold: untold().length,
    toldTwice: ids.filter((id) => witness.tellingsOf(id).size > 1).length,
  };
}

console.log(`seed ${values.seed}`);
const witness = await startWitness();
const gateway = await startGateway();
const total: Findings = { accepted: 0, lost: 0, doubled: 0, disordered: 0, untold: 0, toldTwice: 0 };
try {
  for (let done = 0; done < rounds; done += ROUNDS_PER_FLEET) {
    const fleet = await Promise.all(
      Array.from({ length: NUMBERS }, () => linkBusyNumber(gateway, witness.url)),
    );
    await killAgainAndAgain(gateway, fleet, Math.min(ROUNDS_PER_FLEET, rounds - done));
    for (const number of fleet) {
      const findings = await examine(gateway, number, witness);
      for (const key of Object.keys(total) as (keyof Findings)[]) total[key] += findings[key];
    }
  }
} finally {
  await gateway.stop();
  witness.close();
}
const { accepted, ...faults } = total;
console.log(
  `${rounds} rounds: ${accepted} accepted, ${faults.lost} lost, ${faults.doubled} doubled, ${faults.disordered} out of order, ` +
    `${faults.untold} without a status event, ${faults.toldTwice} with two`,
);
const passed = accepted > 0 && Object.values(faults).every((count) => count === 0);
process.exitCode = passed ? 0 : 1;
