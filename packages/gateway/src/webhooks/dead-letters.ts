import type { DeadLetter, DeliveryQueued } from '@parley/contract';
import { fault } from '#kernel';
import type { WebhooksContext } from './context.ts';
import { deliverySeq, publicDelivery, redeliver } from './history.ts';
import { deadDeliveries } from './survey.ts';

export interface DeadLetterQuery {
  readonly account_id?: string | undefined;
  /** A delivery id: only older ones. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Dead deliveries across accounts, newest first, for the operator. */
export async function deadLetters(
  { store }: WebhooksContext,
  { account_id: accountId, before, limit }: DeadLetterQuery,
): Promise<DeadLetter[]> {
  const beforeSeq = before === undefined ? Number.MAX_SAFE_INTEGER : (deliverySeq(before) ?? 0);
  const rows = await deadDeliveries(store.read, { accountId, beforeSeq, limit });
  return rows.map((row) => ({
    ...publicDelivery(row),
    status: 'dead',
    account_id: row.account_id,
    webhook_id: row.webhook_id,
    phone: row.phone,
    queued_at: new Date(row.queued_at).toISOString(),
  }));
}

/** The operator may deliver again for any account, in its name. */
export async function redeliverDeadLetter(
  context: WebhooksContext,
  deliveryId: string,
): Promise<DeliveryQueued> {
  const delivery = await context.store.read
    .selectFrom('deliveries')
    .select(['account_id', 'webhook_id'])
    .where('seq', '=', deliverySeq(deliveryId) ?? 0)
    .executeTakeFirst();
  if (!delivery) throw fault('delivery_not_found');
  const owner = { accountId: delivery.account_id, permissions: null, phone: null, blocked: null };
  return redeliver(context, owner, delivery.webhook_id, deliveryId);
}
