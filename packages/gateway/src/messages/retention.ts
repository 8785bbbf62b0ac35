import { MESSAGE_METADATA_RETENTION_DAYS } from '@parley/contract';
import type { Clock, Timer } from '#kernel';
import { messageIdAt } from '#kernel';
import type { Store } from '#store';
import { KEY_KEPT_MS } from './accept-batch.ts';

const LOOK_EVERY_MS = 60_000;
/** Small steps: none of them holds up the sends that wait behind it. */
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
  log: { error(details: object, message: string): void };
}): { stop(): Promise<void> } {
  let timer: Timer | undefined;
  let stopped = false;
  let working = work();

  async function work(): Promise<void> {
    try {
      while (!stopped && (await dropKeys())) await pauseBriefly();
      while (!stopped && (await dropMessages())) await pauseBriefly();
    } catch (error) {
      log.error({ err: error }, 'could not drop old messages; it is tried again');
    }
    if (stopped) return;
    timer = clock.after(LOOK_EVERY_MS, () => {
      working = work();
    });
  }

  const pauseBriefly = (): Promise<void> => clock.sleep(10);

  /** True when there may be more. */
  async function dropKeys(): Promise<boolean> {
    const old = await store.read
      .selectFrom('idempotency_keys')
      .select(['account_id', 'key'])
      .where('created_at', '<=', clock.now() - KEY_KEPT_MS)
      .limit(PER_STEP)
      .execute();
    if (old.length === 0) return false;
    await store.transaction(async (trx) => {
      for (const { account_id, key } of old) {
        await trx
          .deleteFrom('idempotency_keys')
          .where('account_id', '=', account_id)
          .where('key', '=', key)
          .where('created_at', '<=', clock.now() - KEY_KEPT_MS)
          .execute();
      }
    });
    return old.length === PER_STEP;
  }

  async function dropMessages(): Promise<boolean> {
    // Ids begin with the time, so the oldest are the first of the primary key.
    const old = await store.read
      .selectFrom('messages')
      .select('id')
      .where('id', '<', messageIdAt(clock.now() - MESSAGE_KEPT_MS))
      .where('status', '!=', 'accepted')
      .orderBy('id')
      .limit(PER_STEP)
      .execute();
    const last = old.at(-1);
    if (!last) return false;
    await store.transaction(async (trx) => {
      await trx.deleteFrom('messages').where('id', '<=', last.id).where('status', '!=', 'accepted').execute();
    });
    return old.length === PER_STEP;
  }

  return {
    async stop() {
      stopped = true;
      timer?.cancel();
      await working;
    },
  };
}
