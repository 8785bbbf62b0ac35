import type { Delivery, DeliveryQueued, DeliveryStatus, EventKind } from '@parley/contract';
import { UNRECORDED_KINDS } from '@parley/contract';
import { DELIVERIES_TOPIC, type LaneName } from '#event-log';
import type { Caller } from '#http';
import { fault } from '#kernel';
import type { DeliveryRow } from '#store';
import type { WebhooksContext } from '../context.ts';
import { ownWebhook } from '../endpoints/configuration.ts';
import { urlsOf } from '../endpoints/endpoint-cache.ts';
import { findDelivery, listDeliveries, requeueDelivery, type StoredDelivery } from '../store.ts';
import { firstShownOf, historyBegins } from './bounds.ts';

export interface DeliveryQuery {
  readonly status?: DeliveryStatus | undefined;
  readonly kind?: EventKind | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Publicly a paused delivery is a pending one: it waits, for a different reason. */
const STORED_STATUSES: Record<DeliveryStatus, readonly DeliveryRow['status'][]> = {
  pending: ['pending', 'paused'],
  delivered: ['delivered'],
  dead: ['dead'],
};

/** The delivery log of a webhook, newest first. */
export async function deliveriesOf(
  context: WebhooksContext,
  caller: Caller,
  webhookId: string,
  { status, kind, before, limit }: DeliveryQuery,
): Promise<Delivery[]> {
  const { store } = context;
  const webhook = await ownWebhook(store.read, caller, webhookId);
  const firstShown = await firstShownOf(store, caller.accountId);
  const statuses = status ? STORED_STATUSES[status] : Object.values(STORED_STATUSES).flat();
  const rows = await listDeliveries(store.read, {
    accountId: caller.accountId,
    webhookId,
    statuses: statuses.map((each) => ({ status: each, fromSeq: firstShown[each] })),
    queuedFrom: await historyBegins(context, webhook),
    kind,
    hidden: [...UNRECORDED_KINDS],
    beforeSeq: before === undefined ? Number.MAX_SAFE_INTEGER : (deliverySeq(before) ?? 0),
    limit,
  });
  return rows.map(publicDelivery);
}

/** Puts a dead delivery back in the queue, with a fresh set of attempts and to where its category goes now. */
export async function redeliver(
  { store, clock, bus }: WebhooksContext,
  caller: Caller,
  webhookId: string,
  deliveryId: string,
): Promise<DeliveryQueued> {
  const url = await store.transaction(async (trx) => {
    const webhook = await ownWebhook(trx, caller, webhookId);
    const seq = deliverySeq(deliveryId);
    const delivery = seq === undefined ? undefined : await findDelivery(trx, webhook, seq);
    if (!delivery) throw fault('delivery_not_found');
    if (delivery.status !== 'dead') throw fault('delivery_not_dead');
    const current = urlsOf(webhook)[delivery.category];
    if (current === '') throw fault('webhook_has_no_url');
    const status = webhook.active ? 'pending' : 'paused';
    await requeueDelivery(trx, delivery.seq, { url: current, status, now: clock.now() });
    return current;
  });
  bus.publish(DELIVERIES_TOPIC, { accountId: caller.accountId, url } satisfies LaneName);
  return { delivery_id: deliveryId, status: 'pending' };
}

export function deliveryId(seq: number): string {
  return `dl_${seq.toString(36)}`;
}

export function deliverySeq(id: string): number | undefined {
  const digits = /^dl_([0-9a-z]{1,10})$/.exec(id)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 36);
}

export function publicDelivery(row: StoredDelivery): Delivery {
  const pending = row.status === 'pending' || row.status === 'paused';
  return {
    delivery_id: deliveryId(row.seq),
    kind: row.kind,
    url: row.url,
    status: row.status === 'paused' ? 'pending' : row.status,
    attempts: JSON.parse(row.attempts),
    ...(pending && { next_attempt_at_unix: Math.floor(row.due_at / 1_000) }),
    event: JSON.parse(row.event),
  };
}
