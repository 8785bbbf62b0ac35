import {
  DELIVERY_HISTORY_MAX_ENTRIES,
  type DeadLetter,
  type Delivery,
  type DeliveryQueued,
  type DeliveryStatus,
  type EventKind,
  PLAN_LIMITS,
  UNRECORDED_KINDS,
} from '@parley/contract';
import { DELIVERIES_TOPIC, type LaneName } from '#events';
import { apiError, DAY_MS } from '#kernel';
import type { Caller } from '#platform/http';
import type { DeliveryRow, Store, WebhookRow } from '#platform/store';
import type { WebhooksContext } from '../context.ts';
import { ownWebhook } from '../endpoints/configuration.ts';
import { urlsOf } from '../endpoints/endpoint-cache.ts';
import { isSending } from '../endpoints/endpoint-queries.ts';
import {
  type DeadDelivery,
  deadDeliveries,
  findDelivery,
  latestDeliveries,
  listDeliveries,
  ownerOfDelivery,
  requeueDelivery,
  type StoredDelivery,
} from './delivery-queries.ts';

export interface DeliveryQuery {
  readonly status?: DeliveryStatus | undefined;
  readonly kind?: EventKind | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
  /** Only what was queued from then, and until then; Unix seconds. */
  readonly from_unix?: number | undefined;
  readonly to_unix?: number | undefined;
  /** What must stand in the event, its id or its attempts. */
  readonly search?: string | undefined;
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
  query: DeliveryQuery,
): Promise<Delivery[]> {
  const webhook = await ownWebhook(context.store.read, caller, webhookId);
  return (await shownDeliveries(context, webhook, query)).map(publicDelivery);
}

/** Those of a webhook that fit, as far as they are shown at all; newest first. */
export async function shownDeliveries(
  context: WebhooksContext,
  webhook: WebhookRow,
  { status, kind, before, limit, from_unix: from, to_unix: to, search }: DeliveryQuery,
): Promise<StoredDelivery[]> {
  const { store } = context;
  const firstShown = await firstShownOf(store, webhook.account_id);
  const begins = await historyBegins(context, webhook);
  const statuses = status ? STORED_STATUSES[status] : Object.values(STORED_STATUSES).flat();
  return listDeliveries(store.read, {
    accountId: webhook.account_id,
    webhookId: webhook.id,
    statuses: statuses.map((each) => ({ status: each, fromSeq: firstShown[each] })),
    queuedFrom: Math.max(begins, (from ?? 0) * 1_000),
    queuedTo: to === undefined ? undefined : to * 1_000 + 999,
    search,
    kind,
    hidden: [...UNRECORDED_KINDS],
    beforeSeq: before === undefined ? Number.MAX_SAFE_INTEGER : (deliverySeq(before) ?? 0),
    limit,
  });
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
    if (!delivery) throw apiError('delivery_not_found');
    if (delivery.status !== 'dead') throw apiError('delivery_not_dead');
    const current = urlsOf(webhook)[delivery.category];
    if (current === '') throw apiError('webhook_has_no_url');
    const status = isSending(webhook) ? 'pending' : 'paused';
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

interface DeadLetterQuery {
  readonly account_id?: string | undefined;
  /** A delivery id: only older ones. */
  readonly before?: string | undefined;
  readonly limit: number;
  /** Aborts when the caller has disconnected. */
  readonly signal?: AbortSignal;
}

/** Dead deliveries across accounts, newest first, for the operator. */
export async function deadLetters(
  context: WebhooksContext,
  { account_id: accountId, before, limit, signal }: DeadLetterQuery,
): Promise<DeadLetter[]> {
  const isShown = createSight(context);
  const shown: DeadDelivery[] = [];
  let beforeSeq = before === undefined ? Number.MAX_SAFE_INTEGER : (deliverySeq(before) ?? 0);
  // A page is short only where the list ends, however much is hidden in between.
  while (shown.length < limit && !signal?.aborted) {
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
  if (!delivery) throw apiError('delivery_not_found');
  const owner = { accountId: delivery.account_id, permissions: null, phone: null, blocked: null };
  return redeliver(context, owner, delivery.webhook_id, deliveryId);
}

/**
 * Start of a webhook's history, in epoch milliseconds. Readers apply this and `firstShownOf`, because older deliveries leave the
 * database only at the next run of the retention.
 */
export async function historyBegins(
  { planOf, clock }: Pick<WebhooksContext, 'planOf' | 'clock'>,
  { account_id, phone }: Pick<WebhookRow, 'account_id' | 'phone'>,
): Promise<number> {
  const plan = (await planOf(account_id, phone)) ?? 'free';
  return clock.now() - PLAN_LIMITS[plan].deliveryHistoryDays * DAY_MS;
}

/** The oldest delivery of each status that is among the latest of its account. */
type FirstShown = Readonly<Record<DeliveryRow['status'], number>>;

const OTHERS = ['pending', 'paused', 'delivered'] as const;

/** Dead letters come first, as they are the last that the historyRetention takes; whatever else is newest has the places that are left. */
async function firstShownOf({ read }: Pick<Store, 'read'>, accountId: string): Promise<FirstShown> {
  const [dead, ...others] = await Promise.all(
    (['dead', ...OTHERS] as const).map((status) =>
      latestDeliveries(read, {
        accountId,
        status,
        hidden: [...UNRECORDED_KINDS],
        limit: DELIVERY_HISTORY_MAX_ENTRIES,
      }),
    ),
  );
  const deadShown = dead ?? [];
  const newest = others.flat().sort((a, b) => b - a);
  const first = firstOf(newest.slice(0, DELIVERY_HISTORY_MAX_ENTRIES - deadShown.length));
  return { dead: firstOf(deadShown), pending: first, paused: first, delivered: first };
}

function firstOf(newestFirst: readonly number[]): number {
  return newestFirst.at(-1) ?? Number.MAX_SAFE_INTEGER;
}

/** Ids of sample events begin with this; no other event's id does. */
export const TEST_PREFIX = 'test_';

export function isTest(eventId: string): boolean {
  return eventId.startsWith(TEST_PREFIX);
}
