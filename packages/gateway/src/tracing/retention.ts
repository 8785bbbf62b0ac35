import { type Clock, type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import type { Store } from '#store';
import { dropTraces } from './store.ts';

const LOOK_EVERY_MS = 60_000;
const PER_STEP = 500;
/** As long as webhooks are tried and most receipts come. */
const KEPT_MS = 3 * 86_400_000;

export function startTraceRetention({
  store,
  clock,
  log,
}: {
  store: Pick<Store, 'transaction'>;
  clock: Clock;
  log: JobLog;
}): PeriodicJob {
  return startPeriodicJob({
    clock,
    log,
    everyMs: LOOK_EVERY_MS,
    name: 'trace-retention',
    async work(stopping) {
      while (!stopping.aborted && (await dropTraces(store, clock.now() - KEPT_MS, PER_STEP)) === PER_STEP);
    },
  });
}
