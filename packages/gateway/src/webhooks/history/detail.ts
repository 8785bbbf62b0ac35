import {
  type AnsweredAttempt,
  type DeliveryAttempt,
  EVENTS,
  type PortalDelivery,
  type PortalDeliveryDetail,
  type RelatedDelivery,
  WEBHOOK_HEADERS,
} from '@parley/contract';
import { apiError } from '#kernel';
import type { Caller } from '#platform/http';
import type { WebhookRow } from '#platform/store';
import type { WebhooksContext } from '../context.ts';
import { ownWebhook } from '../endpoints/configuration.ts';
import { listWebhooks } from '../endpoints/endpoint-queries.ts';
import { causeOfStatus } from '../receivers/failing.ts';
import { type KeptAnswers, openAnswers } from './answers.ts';
import { findDelivery, readAnswers, type StoredDelivery } from './delivery-queries.ts';
import { type DeliveryQuery, deliverySeq, isTest, publicDelivery, shownDeliveries } from './history.ts';
import { isRepeatable } from './repeat.ts';

/** The delivery log of a webhook as its owner searches it, newest first. */
export async function searchDeliveries(
  context: WebhooksContext,
  caller: Caller,
  webhookId: string,
  query: DeliveryQuery,
): Promise<PortalDelivery[]> {
  const webhook = await ownWebhook(context.store.read, caller, webhookId);
  const search = query.search === undefined ? undefined : searched(query.search.trim());
  const rows = await shownDeliveries(context, webhook, { ...query, search });
  return rows.map(portalDelivery);
}

/** Limit for one message: each receipt of a group is a delivery. */
const DELIVERIES_PER_EVENT_MAX = 100;

/** Of the webhook of a number, what has this text in it: the id of a message or of an event. Newest first. */
export async function deliveriesOfEvent(
  context: WebhooksContext,
  { accountId }: Caller,
  phone: string,
  search: string,
): Promise<RelatedDelivery[]> {
  const webhooks = await listWebhooks(context.store.read, accountId);
  const webhook = webhooks.find((each) => each.phone === phone);
  if (!webhook) return [];
  const rows = await shownDeliveries(context, webhook, { search, limit: DELIVERIES_PER_EVENT_MAX });
  return rows.map((row) => ({ ...portalDelivery(row), webhook_id: webhook.id }));
}

const PHONE = /^\+?[\d\s().-]{6,}$/;
const STATUS = /^[1-5]\d\d$/;

/** As it stands in the log: a number without its spaces, a status as an answer has it. */
function searched(text: string): string {
  if (STATUS.test(text)) return `"status_code":${text}`;
  return PHONE.test(text) ? text.replace(/\D/g, '') : text;
}

function portalDelivery(row: StoredDelivery): PortalDelivery {
  const field = EVENTS[row.kind].chat;
  const delivery = publicDelivery(row);
  const chat = field === null ? undefined : delivery.event[field];
  return {
    ...delivery,
    event_id: row.event_id,
    counterparty: typeof chat === 'string' ? chat : null,
    queued_at_unix: Math.floor(row.queued_at / 1_000),
    test: isTest(row.event_id),
  };
}

/** One delivery with all that is known of it. */
export async function deliveryDetail(
  { store, sealedBox }: WebhooksContext,
  caller: Caller,
  webhookId: string,
  deliveryId: string,
): Promise<PortalDeliveryDetail> {
  const webhook = await ownWebhook(store.read, caller, webhookId);
  const row = await findDelivery(store.read, webhook, deliverySeq(deliveryId) ?? 0);
  if (!row) throw apiError('delivery_not_found');
  const delivery = portalDelivery(row);
  const answers = openAnswers(sealedBox, row.seq, await readAnswers(store.read, row.seq));
  return {
    ...delivery,
    webhook_id: webhook.id,
    phone: webhook.phone,
    attempts: withAnswers(delivery.attempts, answers),
    request: { headers: requestHeaders(webhook, delivery) },
    size: row.size,
    repeatable: await isRepeatable(store.read, row),
  };
}

/** The newest have their answers: there may be fewer of these. */
function withAnswers(attempts: readonly DeliveryAttempt[], answers: KeptAnswers): AnsweredAttempt[] {
  const missing = attempts.length - answers.length;
  return attempts.map((attempt, place) => {
    const answer = answers[place - missing];
    const known = answer && 'headers' in answer ? answer : null;
    const whyNot = answer && 'cause' in answer ? answer.cause : 'unreachable';
    const { status_code } = attempt;
    return {
      ...attempt,
      answer: known && { ...known, headers: known.headers.map(([name, value]) => ({ name, value })) },
      cause: status_code === undefined ? whyNot : (causeOfStatus(status_code) ?? null),
    };
  });
}

/** As they travel. The signature is made anew for each attempt and kept nowhere. */
function requestHeaders(
  { id }: WebhookRow,
  { event_id, attempts, queued_at_unix }: PortalDelivery,
): PortalDeliveryDetail['request']['headers'] {
  const at = attempts.at(-1)?.at_unix ?? queued_at_unix;
  return Object.entries({
    'Content-Type': 'application/json',
    'User-Agent': 'Parley',
    [WEBHOOK_HEADERS.webhookId]: id,
    [WEBHOOK_HEADERS.messageId]: event_id,
    [WEBHOOK_HEADERS.timestamp]: String(at),
    [WEBHOOK_HEADERS.signature]: `t=${at},v1=…`,
  }).map(([name, value]) => ({ name, value }));
}
