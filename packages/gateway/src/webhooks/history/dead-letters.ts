import type { DeadLetter, DeliveryQueued } from '@parley/contract';
import { fault } from '#kernel';
import type { WebhooksContext } from '../context.ts';
import {
  deliverySeq,
  type FirstShown,
  firstShownOf,
  historyBegins,
  publicDelivery,
  redeliver,
} from './history.ts';
import { type DeadDelivery, deadDeliveries, ownerOfDelivery } from './store.ts';

export interface DeadLetterQuery {
  readonly account_id?: string | undefined;
  /** A delivery id: only older ones. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Dead deliveries across accounts, newest first, for the operator. */
export async function deadLetters(
  context: WebhooksContext,
  { account_id: accountId, before, limit }: DeadLetterQuery,
): Promise<DeadLetter[]> {
  const isShown = createSight(context);
  const shown: DeadDelivery[] = [];
  let beforeSeq = before === undefined ? Number.MAX_SAFE_INTEGER : (deliverySeq(before) ?? 0);
  // A page is short only where the list ends, however much is hidden in between.
  while (shown.length < limit) {
    const rows = await deadDeliveries(context.store.read, { accountId, beforeSeq, limit });
    for (const row of rows) if (await isShown(row)) shown.push(row);
    const last = rows.at(-1);
    if (!last || rows.length < limit) break;
    beforeSeq = last.seq;
  }
  return shown.slice(0, limit).map((row) => ({
    ...publicDelivery(row),
    status: 'dead',
    account_id: row.account_id,
    webhook_id: row.webhook_id,
    phone: row.phone,
    queued_at: new Date(row.queued_at).toISOString(),
  }));
}

/** Finds out once for each account and each webhook what is shown of them. */
function createSight(context: WebhooksContext): (row: DeadDelivery) => Promise<boolean> {
  const firsts = new Map<string, Promise<FirstShown>>();
  const beginnings = new Map<string, Promise<number>>();
  return async ({ account_id, webhook_id, phone, seq, queued_at }) => {
    const first = firsts.get(account_id) ?? firstShownOf(context.store, account_id);
    firsts.set(account_id, first);
    const begins = beginnings.get(webhook_id) ?? historyBegins(context, { account_id, phone });
    beginnings.set(webhook_id, begins);
    return seq >= (await first).dead && queued_at >= (await begins);
  };
}

/** The operator may deliver again for any account, in its name. */
export async function redeliverDeadLetter(
  context: WebhooksContext,
  deliveryId: string,
): Promise<DeliveryQueued> {
  const delivery = await ownerOfDelivery(context.store.read, deliverySeq(deliveryId) ?? 0);
  if (!delivery) throw fault('delivery_not_found');
  const owner = { accountId: delivery.account_id, permissions: null, phone: null, blocked: null };
  return redeliver(context, owner, delivery.webhook_id, deliveryId);
}
