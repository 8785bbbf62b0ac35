import { sql } from 'kysely';
import { erase, type NumberRemovalRow, type Reader, type Store } from '#store';

const STEP = 500;

export function findRemoval(read: Reader, slotId: string): Promise<NumberRemovalRow | undefined> {
  return read.selectFrom('number_removals').selectAll().where('slot_id', '=', slotId).executeTakeFirst();
}

/** As few as were removed of late. */
export function listRemovals(read: Reader): Promise<NumberRemovalRow[]> {
  return read.selectFrom('number_removals').selectAll().orderBy('slot_id').execute();
}

export async function endRemoval(store: Pick<Store, 'transaction'>, slotId: string): Promise<void> {
  await store.transaction((trx) => trx.deleteFrom('number_removals').where('slot_id', '=', slotId).execute());
}

interface WebhookOfNumber {
  readonly id: string;
  /** Null: our own words. */
  readonly format: string | null;
}

export function webhooksOfNumber(read: Reader, slotId: string): Promise<WebhookOfNumber[]> {
  const own = read.selectFrom('webhooks').select(['id', sql<string | null>`null`.as('format')]);
  const formatted = read.selectFrom('formatted_webhooks').select(['id', 'format']);
  return own
    .where('slot_id', '=', slotId)
    .unionAll(formatted.where('slot_id', '=', slotId))
    .execute();
}

/** Whether a message of it waits, or an event that its webhook has not heard yet. */
export async function hasSomethingToTell(
  read: Reader,
  { slot_id: slotId, account_id: accountId }: NumberRemovalRow,
): Promise<boolean> {
  const queued = read.selectFrom('outbox').select('seq').where('slot_id', '=', slotId).limit(1);
  if (await queued.executeTakeFirst()) return true;
  const ids = (await webhooksOfNumber(read, slotId)).map(({ id }) => id);
  if (ids.length === 0) return false;
  const waiting = read
    .selectFrom('deliveries')
    .select('seq')
    .where('account_id', '=', accountId)
    .where('status', 'in', ['pending', 'paused'])
    .where('webhook_id', 'in', ids)
    .limit(1);
  return (await waiting.executeTakeFirst()) !== undefined;
}

/** Some of what was to be delivered to a webhook, whether it was or not; false once nothing is left. */
export function dropDeliveries(store: Store, accountId: string, webhookId: string): Promise<boolean> {
  return erase(store, async (trx) => {
    const some = trx
      .selectFrom('deliveries')
      .select('seq')
      .where('account_id', '=', accountId)
      .where('webhook_id', '=', webhookId)
      .limit(STEP);
    const { numDeletedRows } = await trx.deleteFrom('deliveries').where('seq', 'in', some).executeTakeFirst();
    return numDeletedRows > 0n;
  });
}
