import { MESSAGE_METADATA_RETENTION_DAYS } from '@parley/contract';
import { type Clock, type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import type { Store } from '#store';
import { KEY_KEPT_MS } from './accept/batch.ts';
import { dropMessages } from './partitions/store.ts';
import { keepParts } from './partitions/upkeep.ts';
import { dropIdempotencyKeys } from './store.ts';

const LOOK_EVERY_MS = 60_000;
/** Small steps: none of them holds up the sends that wait behind it for long. */
const PER_STEP = 500;
const MESSAGE_KEPT_MS = MESSAGE_METADATA_RETENTION_DAYS * 86_400_000;

/**
 * Drops what has been kept long enough: idempotency keys after a day, what is known of messages after ninety; on PostgreSQL whole weeks of
 * them, when the last day of the week has been kept long enough.
 */
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
    name: 'message-retention',
    async work(stopping) {
      const inSteps = async (
        dropSome: (before: number) => Promise<number>,
        keptMs: number,
      ): Promise<void> => {
        while (!stopping.aborted && (await dropSome(clock.now() - keptMs)) === PER_STEP);
      };
      await inSteps((before) => dropIdempotencyKeys(store, before, PER_STEP), KEY_KEPT_MS);
      await inSteps((before) => dropMessages(store, before, PER_STEP), MESSAGE_KEPT_MS);
      await keepParts(store, clock.now(), clock.now() - MESSAGE_KEPT_MS);
    },
  });
}
