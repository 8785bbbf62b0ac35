import { MESSAGE_METADATA_RETENTION_DAYS } from '@parley/contract';
import { type Clock, DAY_MS, type JobLog, messageIdAt, type PeriodicJob, startPeriodicJob } from '#kernel';
import type { Store } from '#platform/store';
import { KEY_KEPT_MS } from './accept/batch.ts';
import { dropIdempotencyKeys } from './message-queries.ts';
import { dropMessages, dropPart, listParts, makePart, weeksFrom } from './partitions/partition-queries.ts';

const LOOK_EVERY_MS = 60_000;
/** Small steps, so that none holds up the sends behind it for long. */
const PER_STEP = 500;
const MESSAGE_KEPT_MS = MESSAGE_METADATA_RETENTION_DAYS * DAY_MS;

/**
 * Deletes old data: idempotency keys after a day, messages after ninety; on PostgreSQL whole weeks of messages,
 * ninety days after the last day of the week.
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

/** Created ahead, so that rows have a part even when none can be created for a while. */
const WEEKS_AHEAD = 2;

/** Creates the parts of the coming weeks, and drops those whose messages were all accepted before `keptSince`. */
export async function keepParts(store: Store, now: number, keptSince: number): Promise<void> {
  if (store.dialect === 'sqlite') return;
  const parts = await listParts(store);
  const known = new Set(parts.map(({ name }) => name));
  for (const week of weeksFrom(now, WEEKS_AHEAD)) {
    if (!known.has(week.name)) await makePart(store, week);
  }
  const keptFrom = messageIdAt(keptSince);
  for (const { name, to } of parts) {
    if (to !== null && to <= keptFrom) await dropPart(store, name);
  }
}
