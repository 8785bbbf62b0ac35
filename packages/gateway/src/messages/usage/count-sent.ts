import { USAGE_DAYS_MAX } from '@parley/contract';
import { type Clock, HOUR_MS, type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import { isPassing, type Store } from '#platform/store';
import { dayOf } from './days.ts';
import {
  countMessages,
  type Days,
  forgetDaysBefore,
  type Gaps,
  type Grouping,
  gapsIn,
  numbersAfter,
  rememberDay,
  type SentSum,
  sumRemembered,
} from './usage-queries.ts';

/** This long after its end a day gets no new messages, however long a send took to reach the store. */
const SETTLING_MS = HOUR_MS;
/** A late receipt may be recorded in between. */
const TRIES = 3;

interface UsageParts {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Counts messages of these numbers by outcome since the beginning of a day. Past days are stored (see
 * `startRememberingDays`; those that it has not reached are counted now), so the cost is that of today's messages.
 * Add up several rows of the same day and number.
 */
export async function countSent(
  { store, clock }: UsageParts,
  slotIds: readonly string[],
  { firstDay, by }: { firstDay: number; by: Grouping },
): Promise<SentSum[]> {
  if (slotIds.length === 0) return [];
  const openFrom = Math.max(firstDay, firstOpenDay(clock.now()));
  const sums = await Promise.all([
    sumOver(store, slotIds, { from: firstDay, end: openFrom }, by),
    countMessages(store.read, slotIds, { from: openFrom }, by),
  ]);
  return sums.flat();
}

/** All days before it are over. */
function firstOpenDay(now: number): number {
  return dayOf(now - SETTLING_MS);
}

/** Past days: their stored counts, and those that cannot be stored yet. */
async function sumOver(
  store: Store,
  slotIds: readonly string[],
  days: Days,
  by: Grouping,
): Promise<SentSum[]> {
  const wanted = slotIds.length * (days.end - days.from);
  let gaps: Gaps = new Map();
  for (let tries = 0; tries < TRIES; tries++) {
    const { sums, remembered } = await sumRemembered(store, slotIds, days, by);
    const left = [...gaps.values()].reduce((sum, { length }) => sum + length, 0);
    if (remembered + left === wanted) return [...sums, ...(await countGaps(store, gaps, by))];
    gaps = await tryToFill(store, slotIds, days);
  }
  return countMessages(store.read, slotIds, days, by);
}

async function countGaps(store: Store, gaps: Gaps, by: Grouping): Promise<SentSum[]> {
  const counts = [...gaps].map(([day, ofDay]) =>
    countMessages(store.read, ofDay, { from: day, end: day + 1 }, by),
  );
  return (await Promise.all(counts)).flat();
}

/**
 * Returns the gaps that remain: days with a message still to be sent, or all when nothing can be written at the
 * moment.
 */
async function tryToFill(store: Store, slotIds: readonly string[], days: Days): Promise<Gaps> {
  try {
    await fillGaps(store, slotIds, days);
  } catch (error) {
    // They are counted without being stored.
    if (!isPassing(error)) throw error;
  }
  return gapsIn(store, slotIds, days);
}

/** Stores final counts where possible, and deletes days outside the range of the API. */
async function fillGaps(
  store: Store,
  slotIds: readonly string[],
  days: Days,
  stopping?: AbortSignal,
): Promise<void> {
  if (slotIds.length === 0) return;
  // One after the other, so that none holds up the sends behind it for long.
  for (const [day, ofDay] of await gapsIn(store, slotIds, days)) {
    if (stopping?.aborted) return;
    await store.transaction((trx) => rememberDay(store, trx, day, ofDay));
  }
  await store.transaction((trx) => forgetDaysBefore(trx, days.end - USAGE_DAYS_MAX, slotIds));
}

interface Parts {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
}

/** A process that has just started has more urgent work. */
const FIRST_AFTER_MS = 20_000;
const EVERY_MS = 60 * 60_000;
/** Numbers per transaction for one day: no send waits behind it for long. */
const NUMBERS_AT_ONCE = 20;

/** Counts past days before they are requested, including those that receipts have changed since. */
export function startRememberingDays(
  parts: Parts,
  { machineClock, log }: { machineClock: Clock; log: JobLog },
): PeriodicJob {
  return startPeriodicJob({
    clock: machineClock,
    firstAfterMs: FIRST_AFTER_MS,
    everyMs: EVERY_MS,
    work: (stopping) => rememberDays(parts, stopping),
    log,
    name: 'daily-counts',
  });
}

export async function rememberDays({ store, clock }: Parts, stopping?: AbortSignal): Promise<void> {
  const end = firstOpenDay(clock.now());
  // The range of the API includes today.
  const days = { from: end - USAGE_DAYS_MAX + 1, end };
  let slotIds: readonly string[] = [];
  do {
    slotIds = await numbersAfter(store.read, slotIds.at(-1) ?? '', NUMBERS_AT_ONCE);
    await fillGaps(store, slotIds, days, stopping);
  } while (slotIds.length === NUMBERS_AT_ONCE && !stopping?.aborted);
}
