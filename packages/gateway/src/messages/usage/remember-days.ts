import { USAGE_DAYS_MAX } from '@parley/contract';
import { type Clock, type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import type { Store } from '#store';
import { fillGaps, firstOpenDay } from './count-sent.ts';
import { numbersAfter } from './store.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
}

/** Whoever has just started has more urgent things to do. */
const FIRST_AFTER_MS = 20_000;
const EVERY_MS = 60 * 60_000;
/** One day of so many is one transaction: no send waits behind it for long. */
const NUMBERS_AT_ONCE = 20;

/** Counts the days that are over before anybody asks for them, also those that receipts have changed since. */
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
  // Today is one of the days that can be asked for.
  const days = { from: end - USAGE_DAYS_MAX + 1, end };
  let slotIds: readonly string[] = [];
  do {
    slotIds = await numbersAfter(store.read, slotIds.at(-1) ?? '', NUMBERS_AT_ONCE);
    await fillGaps(store, slotIds, days, stopping);
  } while (slotIds.length === NUMBERS_AT_ONCE && !stopping?.aborted);
}
