/**
 * Kills the gateway with SIGKILL at random moments, with --threads also its hosting threads, again and again on the same data,
 * while six numbers talk: each writes to a friend and into a group as fast as it may, and the friend writes back in both. In the
 * end every accepted message must be on the friend's phone exactly once, in order, and its webhook must have got its outcome and
 * its content once; every message of the friend and of the owner, who writes by phone, every edit of one, every new name of the
 * group and every change of a chat by the owner must have become an event; and the stored history of the number must be exactly
 * that, with the latest edits and with the messages from before the link. The network is a process of its own, which is never
 * killed.
 *
 * npm test -- sends [--rounds 200] [--database sqlite|postgres] [--threads 2] [--seed N]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSeededRandom, systemRandom } from '@parley/gateway/kernel';
import { startEventRecorder } from '../traffic/event-recorder.ts';
import { add, examine, isClean, NOTHING_FOUND, summarize } from '../traffic/examine.ts';
import { type BusyNumber, linkBusyNumber } from '../traffic/number.ts';
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
/** A hundred messages without a gap pause a number for five minutes, so it is replaced before that. */
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
    // Half of the time the next process is killed during its recovery.
    const crashes = 1 + chance.below(2);
    for (let crash = 0; crash < crashes; crash++) await gateway.crash();
    kills += crashes;
    stop.abort();
    await Promise.all(talking);
  }
}

console.log(`seed ${values.seed}`);
const recorder = await startEventRecorder();
const harness = await startHarness(values.database, values.threads);
const urls = { status_url: recorder.url, messages_url: recorder.url, events_url: recorder.url };
let total = NOTHING_FOUND;
let kills = 0;
try {
  for (let done = 0; done < rounds; done += ROUNDS_PER_FLEET) {
    const fleet = await Promise.all(
      Array.from({ length: NUMBERS }, () => linkBusyNumber(harness.gateway, harness.network, urls)),
    );
    await killAgainAndAgain(harness, fleet, Math.min(ROUNDS_PER_FLEET, rounds - done));
    const found = await Promise.all(fleet.map((number) => examine(harness.network, number, recorder)));
    total = found.reduce(add, total);
    if (done + ROUNDS_PER_FLEET < rounds) console.log(summarize(`${kills} kills`, total));
  }
} finally {
  await harness.stop();
  recorder.close();
}
console.log(summarize(`${kills} kills`, total));
process.exitCode = isClean(total) ? 0 : 1;
