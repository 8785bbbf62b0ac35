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
import { add, examine, type Findings, NOTHING_FOUND } from './examine.ts';
import { type BusyNumber, linkBusyNumber } from './number.ts';
import { startWitness } from './witness.ts';

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

console.log(`seed ${values.seed}`);
const witness = await startWitness();
const gateway = await startGateway();
let total = NOTHING_FOUND;
try {
  for (let done = 0; done < rounds; done += ROUNDS_PER_FLEET) {
    const fleet = await Promise.all(
      Array.from({ length: NUMBERS }, () => linkBusyNumber(gateway, { status_url: witness.url })),
    );
    await killAgainAndAgain(gateway, fleet, Math.min(ROUNDS_PER_FLEET, rounds - done));
    for (const number of fleet) {
      total = add(total, await examine(gateway, number, witness));
    }
    if (done + ROUNDS_PER_FLEET < rounds) console.log(tell(done + ROUNDS_PER_FLEET, total));
  }
} finally {
  await gateway.stop();
  witness.close();
}
console.log(tell(rounds, total));
const { accepted, ...faults } = total;
const passed = accepted > 0 && Object.values(faults).every((count) => count === 0);
process.exitCode = passed ? 0 : 1;

function tell(
  roundsDone: number,
  { accepted, lost, doubled, disordered, untold, toldTwice }: Findings,
): string {
  return (
    `${roundsDone} rounds: ${accepted} accepted, ${lost} lost, ${doubled} doubled, ${disordered} out of order, ` +
    `${untold} without a status event, ${toldTwice} with two`
  );
}
