import {
  type DeliveryQueued,
  EVENT_CATEGORIES,
  EVENT_SCHEMAS,
  EVENTS,
  type EventCategory,
  type EventKind,
  type PublicEvent,
  userJid,
} from '@parley/contract';
import { DELIVERIES_TOPIC, type LaneName } from '#events';
import { apiError } from '#kernel';
import type { Caller } from '#platform/http';
import type { WebhookRow } from '#platform/store';
import type { WebhooksContext } from '../context.ts';
import { insertDelivery } from '../history/delivery-queries.ts';
import { deliveryId, TEST_PREFIX } from '../history/history.ts';
import { ownWebhook } from './configuration.ts';
import { urlsOf } from './endpoint-cache.ts';
import { isSending } from './endpoint-queries.ts';

const EXAMPLE_KINDS: Record<EventCategory, EventKind> = {
  messages: 'message',
  status: 'status',
  connection: 'connection',
  events: 'poll_vote',
};

/** Queues the documentation's own example as if it had happened to this number; it takes the way of every delivery. */
export async function sendTestDelivery(
  { store, clock, ids, bus }: WebhooksContext,
  caller: Caller,
  webhookId: string,
  wanted: { readonly category?: EventCategory | undefined; readonly kind?: EventKind | undefined },
): Promise<DeliveryQueued> {
  const now = clock.now();
  const { seq, url } = await store.transaction(async (trx) => {
    const webhook = await ownWebhook(trx, caller, webhookId);
    const urls = urlsOf(webhook);
    const wantedCategory = wanted.kind ? EVENTS[wanted.kind].category : wanted.category;
    const category = wantedCategory ?? EVENT_CATEGORIES.find((each) => urls[each] !== '');
    if (!category || urls[category] === '') throw apiError('webhook_has_no_url');
    const kind = wanted.kind ?? EXAMPLE_KINDS[category];
    const event = JSON.stringify(exampleEvent(kind, webhook, now));
    const queued = await insertDelivery(trx, {
      account_id: webhook.account_id,
      webhook_id: webhook.id,
      event_seq: null,
      event_id: ids.event().replace(/^ev_/, TEST_PREFIX),
      kind,
      category,
      url: urls[category],
      size: Buffer.byteLength(event),
      status: isSending(webhook) ? 'pending' : 'paused',
      queued_at: now,
      due_at: now,
      event,
    });
    return { seq: queued, url: urls[category] };
  });
  bus.publish(DELIVERIES_TOPIC, { accountId: caller.accountId, url } satisfies LaneName);
  return { delivery_id: deliveryId(seq), status: 'pending' };
}

function exampleEvent(kind: EventKind, { phone }: WebhookRow, now: number): PublicEvent {
  const [example] = (EVENT_SCHEMAS[kind] as { examples?: PublicEvent[] }).examples ?? [];
  if (!example) throw new TypeError(`The contract has no example of ${kind}.`);
  const event = { ...example, session_id: userJid(phone) };
  return 'timestamp_unix' in event ? { ...event, timestamp_unix: Math.floor(now / 1_000) } : event;
}
