import { dropExpiredEvents } from '#event-log';
import { type Clock, type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import type { Store } from '#store';
import { dropOldQuarantine } from './store.ts';

const STEP = 500;
const EVERY_MS = 60_000;

interface EventRetention {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: JobLog;
}

/** Drops events from the log when their time is over, in small steps. Those that are still to be delivered stay. */
export function startEventRetention(parts: EventRetention): PeriodicJob {
  return startPeriodicJob({
    ...parts,
    everyMs: EVERY_MS,
    work: (stopping) => dropExpired(parts, stopping),
    name: 'event-retention',
  });
}

/** Drops all that can go now. */
export async function dropExpired(
  { store, clock }: Pick<EventRetention, 'store' | 'clock'>,
  stopping?: AbortSignal,
): Promise<void> {
  while (!stopping?.aborted && (await dropExpiredEvents(store, clock.now(), STEP)) === STEP);
  await dropOldQuarantine(store, clock.now());
}
