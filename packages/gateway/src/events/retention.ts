import { dropExpiredEvents } from '#event-log';
import { type Clock, type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import type { Store } from '#store';
import { dropOldQuarantine } from './store.ts';

/** Drops events from the log when their time is over, in small steps. Those that are still to be delivered stay. */
export interface EventRetention {
  /** Drops all that can go now. */
  dropExpired(stopping?: AbortSignal): Promise<void>;
  start(): void;
  /** Finishes the step under way. */
  stop(): Promise<void>;
}

const STEP = 500;
const EVERY_MS = 60_000;

export function createEventRetention({
  store,
  clock,
  log,
}: {
  store: Store;
  clock: Clock;
  log: JobLog;
}): EventRetention {
  let job: PeriodicJob | undefined;

  async function dropExpired(stopping?: AbortSignal): Promise<void> {
    while (!stopping?.aborted && (await dropExpiredEvents(store, clock.now(), STEP)) === STEP);
    await dropOldQuarantine(store, clock.now());
  }

  return {
    dropExpired,
    start() {
      const complaint = 'could not drop old events from the log';
      job ??= startPeriodicJob({ clock, everyMs: EVERY_MS, work: dropExpired, log, complaint });
    },
    stop: async () => job?.stop(),
  };
}
