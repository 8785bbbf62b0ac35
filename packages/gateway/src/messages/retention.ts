import { MESSAGE_METADATA_RETENTION_DAYS } from '@parley/contract';
import { type Clock, type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import type { Store } from '#store';
import { KEY_KEPT_MS } from './accept/batch.ts';
import { dropIdempotencyKeys, dropMessages } from './store.ts';

const LOOK_EVERY_MS = 60_000;
/** Small steps: none of them holds up the sends that wait behind it for long. */
const PER_STEP = 500;
const MESSAGE_KEPT_MS = MESSAGE_METADATA_RETENTION_DAYS * 86_400_000;

/** Drops what has been kept long enough: idempotency keys after a day, what is known of messages after ninety. */
export function dropOldMessages({
  store,
  clock,
  log,
}: {
  store: Store;
  clock: Clock;
  log: JobLog;
}): PeriodicJob {
  return startPeriodicJob({
    clock,
    log,
    everyMs: LOOK_EVERY_MS,
    complaint: 'could not drop old messages; it is tried again',
    async work(stopping) {
      for (const [dropSome, keptMs] of [
        [dropIdempotencyKeys, KEY_KEPT_MS],
        [dropMessages, MESSAGE_KEPT_MS],
      ] as const) {
        while (!stopping.aborted && (await dropSome(store, clock.now() - keptMs, PER_STEP)) === PER_STEP);
      }
    },
  });
}
