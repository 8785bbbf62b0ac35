/**
 * Kills the gateway with SIGKILL at random moments, with --threads also its hosting threads, again and again on the same data,
 * while six numbers talk: each writes to a friend and into a group as fast as it may, and the friend writes back in both.
 * Meanwhile their phones are installed anew, move from numbers to LIDs, and the friend gets new numbers. In the end every accepted message must be on the friend's phone exactly once, in order, and its webhook must have got its outcome and
 * its content once; every message of the friend and of the owner, who writes by phone, every edit of one, every new name of the
 * group and every change of a chat by the owner must have become an event; and the stored history of the number must be exactly
 * that, with the latest edits and with the messages from before the link. Only sends to a number that the friend has given up may
 * fail. The network is a process of its own, which is never killed.
 *
 * npm test -- sends [--rounds 200] [--database sqlite|postgres] [--threads 2] [--seed N]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSeededRandom, systemRandom } from '@parley/gateway/kernel';
import { startEventRecorder } from '../traffic/event-recorder.ts';
import { add, examine, isClean, NOTHING_FOUND, summarize } from '../traffic/examine.ts';
import { type BusyNumber, linkBusyNumber } from '../traffic/number.ts';
import { PHONE_CHANGES, type PhoneChanges } from '../traffic/person.ts';
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

/** A new number refuses all sends on their way to the old one, so it is rare. */
const FRIEND_CHANGES: readonly (keyof PhoneChanges)[] = [
  'renumbered',
  ...Array<'reinstalled'>(6).fill('reinstalled'),
  'migrated',
];

/** The owner's own phone is never installed anew, which would end the link. */
function keepChanging({ owner, friend, other }: BusyNumber, stop: AbortSignal): Promise<void>[] {
  return [
    owner.keepChanging(stop, ['migrated'], chance),
    other.keepChanging(stop, ['reinstalled', 'migrated'], chance),
    friend.keepChanging(stop, FRIEND_CHANGES, chance),
  ];
}

async function killAgainAndAgain(
  { gateway }: TestHarness,
  fleet: readonly BusyNumber[],
  times: number,
): Promise<void> {
  for (let round = 0; round < times; round++) {
    const stop = new AbortController();
    const talking = fleet.flatMap((number) => [
      number.keepTalking(stop.signal),
      ...keepChanging(number, stop.signal),
    ]);
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
const changed: PhoneChanges = { reinstalled: 0, migrated: 0, renumbered: 0 };
const result = (): string =>
  `${summarize(`${kills} kills`, total)}; phones: ` +
  PHONE_CHANGES.map((way) => `${changed[way]} ${way}`).join(', ');
try {
  for (let done = 0; done < rounds; done += ROUNDS_PER_FLEET) {
    const fleet = await Promise.all(
      Array.from({ length: NUMBERS }, () =>
        linkBusyNumber(harness.gateway, harness.network, urls, { addressing: 'pn' }),
      ),
    );
    await killAgainAndAgain(harness, fleet, Math.min(ROUNDS_PER_FLEET, rounds - done));
    const found = await Promise.all(fleet.map((number) => examine(harness.network, number, recorder)));
    total = found.reduce(add, total);
    for (const { changes } of fleet.flatMap(({ owner, friend, other }) => [owner, friend, other])) {
      for (const way of PHONE_CHANGES) changed[way] += changes[way];
    }
    if (done + ROUNDS_PER_FLEET < rounds) console.log(result());
  }
} finally {
  await harness.stop();
  recorder.close();
}
console.log(result());
process.exitCode = isClean(total) && PHONE_CHANGES.every((way) => changed[way] > 0) ? 0 : 1;
