import { MESSAGE_METADATA_RETENTION_DAYS } from '@parley/contract';
import { type Clock, type JobLog, messageIdAt, type PeriodicJob, startPeriodicJob } from '#kernel';
import type { Store } from '#store';
import { KEY_KEPT_MS } from './accept/batch.ts';

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
      for (const dropSome of [dropKeys, dropMessages]) {
        while (!stopping.aborted && (await dropSome(store, clock.now())) === PER_STEP);
      }
    },
  });
}

function dropKeys(store: Store, now: number): Promise<number> {
  return store.transaction(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('idempotency_keys')
      .where(({ eb, refTuple, selectFrom }) => {
        const old = selectFrom('idempotency_keys')
          .select(['account_id', 'key'])
          .where('created_at', '<=', now - KEY_KEPT_MS)
          .limit(PER_STEP);
        return eb(refTuple('account_id', 'key'), 'in', old.$asTuple('account_id', 'key'));
      })
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}

function dropMessages(store: Store, now: number): Promise<number> {
  return store.transaction(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('messages')
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('messages')
          .select('id')
          // Ids begin with the time, so the oldest are the first of the primary key.
          .where('id', '<', messageIdAt(now - MESSAGE_KEPT_MS))
          .where('status', '!=', 'accepted')
          .orderBy('id')
          .limit(PER_STEP),
      )
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}
