import { USAGE_DAYS_MAX } from '@parley/contract';
import type { Clock } from '#kernel';
import type { Store } from '#store';
import { isPassing } from '#store';
import { dayOf } from './days.ts';
import {
  countMessages,
  type Days,
  forgetDaysBefore,
  type Gaps,
  type Grouping,
  gapsIn,
  rememberDay,
  type SentSum,
  sumRemembered,
} from './store.ts';

/** So long after its end a day gets no new messages, however long the way of a send into the store was. */
const SETTLING_MS = 3_600_000;
/** Somebody may note a late receipt in between. */
const TRIES = 3;

interface UsageParts {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * How many messages of these numbers were accepted since the beginning of a day, and what became of them. Days that are over are
 * remembered (see `startRememberingDays`; what it has not come to yet is counted now): to ask costs as much as today's messages,
 * however many there were before. Several rows of the same day and number are to be added up.
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

/** All before it are over. */
export function firstOpenDay(now: number): number {
  return dayOf(now - SETTLING_MS);
}

/** Days that are over: what is remembered of them, and what cannot be yet. */
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

/** Answers what is left of them: days of which a message still waits to be sent, or all when nothing can be written at the moment. */
async function tryToFill(store: Store, slotIds: readonly string[], days: Days): Promise<Gaps> {
  try {
    await fillGaps(store, slotIds, days);
  } catch (error) {
    // They are counted without being remembered.
    if (!isPassing(error)) throw error;
  }
  return gapsIn(store, slotIds, days);
}

/** Counts for good what can be, and forgets what nobody can ask for any more. */
export async function fillGaps(
  store: Store,
  slotIds: readonly string[],
  days: Days,
  stopping?: AbortSignal,
): Promise<void> {
  if (slotIds.length === 0) return;
  // One after the other: none of them holds up the sends that wait behind it for long.
  for (const [day, ofDay] of await gapsIn(store, slotIds, days)) {
    if (stopping?.aborted) return;
    await store.transaction((trx) => rememberDay(store, trx, day, ofDay));
  }
  await store.transaction((trx) => forgetDaysBefore(trx, days.end - USAGE_DAYS_MAX, slotIds));
}
