import {
  DELIVERY_HISTORY_MAX_ENTRIES,
  type DeliveryQueued,
  type DeliveryReplay,
  type DeliveryStatus,
  EVENT_CATEGORIES,
} from '@parley/contract';
import { DELIVERIES_TOPIC, type LaneName } from '#events';
import { apiError } from '#kernel';
import type { Caller } from '#platform/http';
import type { DeliveryRow, WebhookRow, Writer } from '#platform/store';
import type { WebhooksContext } from '../context.ts';
import { ownWebhook } from '../endpoints/configuration.ts';
import { urlsOf } from '../endpoints/endpoint-cache.ts';
import { isSending } from '../endpoints/endpoint-queries.ts';
import {
  countReplayed,
  findDelivery,
  hurryDeliveries,
  loggedEvents,
  requeueDeliveries,
  type StoredDelivery,
} from './delivery-queries.ts';
import { deliverySeq, isTest, shownDeliveries } from './history.ts';

type Queries = Pick<Writer, 'selectFrom'>;

/** Its whole payload is still there. */
export async function isRepeatable(db: Queries, delivery: StoredDelivery): Promise<boolean> {
  return (await repeatable(db, [delivery])).length === 1;
}

async function repeatable(db: Queries, ended: readonly StoredDelivery[]): Promise<StoredDelivery[]> {
  const logged = await loggedEvents(
    db,
    ended.flatMap(({ event_seq }) => event_seq ?? []),
  );
  return ended.filter(({ status, event_seq, event_id }) => {
    if (status !== 'dead' && status !== 'delivered') return false;
    // Of a sample that was delivered only the redacted copy is left.
    if (event_seq === null) return status === 'dead' || !isTest(event_id);
    return logged.has(event_seq);
  });
}

/** Delivers once more what has come to its end, delivered or dead. */
export async function repeatDelivery(
  context: WebhooksContext,
  caller: Caller,
  webhookId: string,
  deliveryId: string,
): Promise<DeliveryQueued> {
  await onDelivery(context, caller, webhookId, deliveryId, async (trx, webhook, delivery) => {
    if (delivery.status === 'pending' || delivery.status === 'paused') throw apiError('delivery_waiting');
    if (!(await isRepeatable(trx, delivery))) throw apiError('delivery_content_gone');
    if (urlsOf(webhook)[delivery.category] === '') throw apiError('webhook_has_no_url');
    await requeue(trx, webhook, [delivery], { now: context.clock.now(), replayId: null });
  });
  return { delivery_id: deliveryId, status: 'pending' };
}

/** Tries one that waits now, whatever its receiver did before. */
export async function hurryDelivery(
  context: WebhooksContext,
  caller: Caller,
  webhookId: string,
  deliveryId: string,
): Promise<DeliveryQueued> {
  await onDelivery(context, caller, webhookId, deliveryId, async (trx, webhook, { status, seq }) => {
    if (status !== 'pending') throw apiError('delivery_not_waiting');
    await hurryDeliveries(trx, webhook, context.clock.now(), seq);
  });
  return { delivery_id: deliveryId, status: 'pending' };
}

async function onDelivery(
  { store, bus }: WebhooksContext,
  caller: Caller,
  webhookId: string,
  deliveryId: string,
  work: (trx: Writer, webhook: WebhookRow, delivery: StoredDelivery) => Promise<void>,
): Promise<void> {
  const url = await store.transaction(async (trx) => {
    const webhook = await ownWebhook(trx, caller, webhookId);
    const delivery = await findDelivery(trx, webhook, deliverySeq(deliveryId) ?? 0);
    if (!delivery) throw apiError('delivery_not_found');
    await work(trx, webhook, delivery);
    return urlsOf(webhook)[delivery.category];
  });
  bus.publish(DELIVERIES_TOPIC, { accountId: caller.accountId, url } satisfies LaneName);
}

/** Tries everything that waits for the receivers of a webhook now. */
export async function hurryWebhook(
  { store, clock, bus }: WebhooksContext,
  caller: Caller,
  webhookId: string,
): Promise<void> {
  const webhook = await store.transaction(async (trx) => {
    const found = await ownWebhook(trx, caller, webhookId);
    await hurryDeliveries(trx, found, clock.now());
    return found;
  });
  probe({ bus }, webhook);
}

function probe({ bus }: Pick<WebhooksContext, 'bus'>, webhook: WebhookRow): void {
  const { account_id: accountId } = webhook;
  for (const url of new Set(Object.values(urlsOf(webhook))))
    if (url !== '') bus.publish(DELIVERIES_TOPIC, { accountId, url } satisfies LaneName);
}

async function requeue(
  trx: Writer,
  webhook: WebhookRow,
  deliveries: readonly StoredDelivery[],
  order: { now: number; replayId: string | null },
): Promise<number> {
  const status = isSending(webhook) ? 'pending' : 'paused';
  const urls = urlsOf(webhook);
  let queued = 0;
  for (const category of EVENT_CATEGORIES) {
    const seqs = deliveries.filter((each) => each.category === category).map(({ seq }) => seq);
    if (seqs.length > 0)
      queued += await requeueDeliveries(trx, webhook, seqs, { ...order, url: urls[category], status });
  }
  return queued;
}

interface ReplayRequest {
  readonly what: 'dead' | 'all';
  readonly from_unix?: number | undefined;
  readonly to_unix?: number | undefined;
}

const ENDED: Readonly<Record<ReplayRequest['what'], readonly DeliveryStatus[]>> = {
  dead: ['dead'],
  all: ['dead', 'delivered'],
};

/** Puts all that fits back in the queue, in its old order. How far that has come is asked for by the id that it answers with. */
export async function startReplay(
  context: WebhooksContext,
  caller: Caller,
  webhookId: string,
  { what, ...range }: ReplayRequest,
): Promise<DeliveryReplay> {
  const { store, clock, ids } = context;
  const webhook = await ownWebhook(store.read, caller, webhookId);
  const urls = urlsOf(webhook);
  const pages = ENDED[what].map((status) =>
    shownDeliveries(context, webhook, { ...range, status, limit: DELIVERY_HISTORY_MAX_ENTRIES }),
  );
  const ended = (await Promise.all(pages)).flat().filter(({ category }) => urls[category] !== '');
  const order = { now: clock.now(), replayId: ids.replay() };
  await store.transaction(async (trx) => {
    // Another replay may have been first.
    if ((await requeue(trx, webhook, await repeatable(trx, ended), order)) === 0)
      throw apiError('nothing_to_replay');
  });
  probe(context, webhook);
  return progressOf(context, webhook, order.replayId);
}

export async function replayOf(
  context: WebhooksContext,
  caller: Caller,
  webhookId: string,
  replayId: string,
): Promise<DeliveryReplay> {
  const webhook = await ownWebhook(context.store.read, caller, webhookId);
  const progress = await progressOf(context, webhook, replayId);
  // Nothing of it is left: it was never made, or all of it was deleted or queued again by something else.
  if (progress.total === 0) throw apiError('delivery_not_found');
  return progress;
}

async function progressOf(
  { store }: WebhooksContext,
  webhook: WebhookRow,
  replayId: string,
): Promise<DeliveryReplay> {
  const counts = await countReplayed(store.read, webhook, replayId);
  const of = (...statuses: DeliveryRow['status'][]) =>
    statuses.reduce((sum, status) => sum + (counts.get(status) ?? 0), 0);
  return {
    replay_id: replayId,
    total: of('pending', 'paused', 'delivered', 'dead'),
    delivered: of('delivered'),
    waiting: of('pending', 'paused'),
    dead: of('dead'),
  };
}
