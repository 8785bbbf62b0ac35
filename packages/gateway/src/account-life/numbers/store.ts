import { sql } from 'kysely';
import type { NumberRemovalRow, Reader } from '#store';

export function findRemoval(read: Reader, slotId: string): Promise<NumberRemovalRow | undefined> {
  return read.selectFrom('number_removals').selectAll().where('slot_id', '=', slotId).executeTakeFirst();
}

/** As few as were removed of late. */
export function listRemovals(read: Reader): Promise<NumberRemovalRow[]> {
  return read.selectFrom('number_removals').selectAll().orderBy('slot_id').execute();
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
