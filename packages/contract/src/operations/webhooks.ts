import Type from 'typebox';
import { EVENT_CATEGORIES, EVENT_KINDS } from '../events/kinds.ts';
import {
  DELIVERIES_PAGE_DEFAULT,
  DELIVERIES_PAGE_MAX,
  DELIVERY_HISTORY_MAX_ENTRIES,
  ID_MAX_LENGTH,
  WEBHOOK_PAUSE_DAYS,
  WEBHOOK_SECRET_OVERLAP_SECONDS,
} from '../limits.ts';
import { HttpUrl, HttpUrlOrEmpty, ResourceId, SessionId } from '../primitives.ts';
import {
  DELIVERY_STATUSES,
  DeliveryList,
  DeliveryQueued,
  Webhook,
  WebhookExtensions,
  WebhookList,
  WebhookSecret,
  WebhookWithSecret,
} from '../resources/index.ts';
import { closed, oneLine, oneOf } from '../schema.ts';
import { operation } from './operation.ts';
import { webhookPath } from './paths.ts';

const onWebhooks = {
  tag: 'Webhooks',
  surface: 'v1',
  sdk: 'webhooks',
  mcp: { tool: false, because: 'The owner of the number decides where its events go.' },
  permission: 'webhooks',
  limits: [],
} as const;
const onOneWebhook = { ...onWebhooks, subject: 'webhook' } as const;
/** Accepted so that an answer of GET is a valid body of PUT. */
const FixedField = Type.Optional(
  Type.String({
    maxLength: ID_MAX_LENGTH,
    ...oneLine,
    description: 'Cannot be changed: leave it out, or give it as it is.',
  }),
);
const urlErrors = ['webhook_url_not_https', 'webhook_url_private'] as const;

export const webhookOperations = {
  createWebhook: operation({
    ...onWebhooks,
    id: 'createWebhook',
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Register the webhook of a number',
    description:
      'Fill only the URLs you want. One configuration per number, which need not be linked yet: it survives unlinking and pairing again. The `secret` is shown only in this answer.',
    subject: 'body_session',
    body: closed(
      {
        session_id: SessionId,
        messages_url: Type.Optional(HttpUrl),
        status_url: Type.Optional(HttpUrl),
        connection_url: Type.Optional(HttpUrl),
        events_url: Type.Optional(HttpUrl),
        extensions: WebhookExtensions,
      },
      {
        examples: [
          {
            session_id: '15550001001:1@s.whatsapp.net',
            messages_url: 'https://app.example.com/hooks/messages',
            status_url: 'https://app.example.com/hooks/status',
          },
        ],
      },
    ),
    answers: { 201: WebhookWithSecret },
    errors: [...urlErrors, 'webhook_without_url', 'webhook_exists'],
    cli: ['webhook create'],
    run: { keeps: { webhook_id: 'id' } },
  }),
  updateWebhook: operation({
    ...onOneWebhook,
    id: 'updateWebhook',
    method: 'PUT',
    path: '/v1/webhooks/{id}',
    summary: 'Change a webhook',
    description:
      'Only the fields given are changed, so the object that a `GET` gave can be put back. What is queued already goes to the new URL, and stays queued when its extension is no longer asked for; an empty URL disables that category and makes what is queued for it dead. The secret stays.',
    params: webhookPath,
    body: closed(
      {
        messages_url: Type.Optional(HttpUrlOrEmpty),
        status_url: Type.Optional(HttpUrlOrEmpty),
        connection_url: Type.Optional(HttpUrlOrEmpty),
        events_url: Type.Optional(HttpUrlOrEmpty),
        extensions: WebhookExtensions,
        active: Type.Optional(
          Type.Boolean({
            description:
              'False: nothing is sent and nothing new is queued; what waits already goes out when it is true again.',
          }),
        ),
        paused: Type.Optional(
          Type.Boolean({
            description: `True: nothing is sent, and what happens is kept for up to ${WEBHOOK_PAUSE_DAYS} days; it goes out, in order, when it is false again.`,
          }),
        ),
        id: FixedField,
        phone: FixedField,
        session_id: FixedField,
        created_at: FixedField,
        secret: FixedField,
      },
      { examples: [{ events_url: 'https://app.example.com/hooks/events', status_url: '' }] },
    ),
    answers: { 200: Webhook },
    errors: [...urlErrors, 'webhook_field_fixed'],
    run: {},
  }),
  listWebhooks: operation({
    ...onWebhooks,
    id: 'listWebhooks',
    method: 'GET',
    path: '/v1/webhooks',
    summary: 'List webhooks',
    listBound: 'The webhooks of the account, as the specification answers them.',
    answers: { 200: WebhookList },
    errors: [],
    cli: ['webhook list'],
    run: {},
  }),
  deleteWebhook: operation({
    ...onOneWebhook,
    id: 'deleteWebhook',
    method: 'DELETE',
    path: '/v1/webhooks/{id}',
    summary: 'Delete a webhook',
    params: webhookPath,
    answers: { 204: null },
    errors: [],
    cli: ['webhook delete'],
    run: { last: true },
  }),
  rotateWebhookSecret: operation({
    ...onOneWebhook,
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: '/v1/webhooks/{id}/rotate-secret',
    summary: 'Rotate the signing secret',
    description: `For ${WEBHOOK_SECRET_OVERLAP_SECONDS / 3600} hours deliveries carry two \`v1=\` signatures, the new secret's first.`,
    params: webhookPath,
    answers: { 200: WebhookSecret },
    errors: [],
    cli: ['webhook rotate-secret'],
    run: {},
  }),
  testWebhook: operation({
    ...onOneWebhook,
    id: 'testWebhook',
    method: 'POST',
    path: '/v1/webhooks/{id}/test',
    summary: 'Send a signed sample event',
    description: 'Without a category the sample goes to the first URL that is set.',
    params: webhookPath,
    body: closed({ category: Type.Optional(oneOf(EVENT_CATEGORIES)) }),
    bodyOptional: true,
    answers: { 202: DeliveryQueued },
    errors: ['webhook_has_no_url'],
    cli: ['webhook test'],
    example: { category: 'messages' },
    run: {},
  }),
  listDeliveries: operation({
    ...onOneWebhook,
    id: 'listDeliveries',
    method: 'GET',
    path: '/v1/webhooks/{id}/deliveries',
    summary: 'Read the delivery log',
    description: `Newest first. Kept for 3 days (Free), 30 days (Pro) or 90 days (Max), and at most the latest ${DELIVERY_HISTORY_MAX_ENTRIES} of the account. Content is redacted; \`typing\` events are not recorded.`,
    params: webhookPath,
    query: closed({
      status: Type.Optional(oneOf(DELIVERY_STATUSES)),
      kind: Type.Optional(oneOf(EVENT_KINDS)),
      before: Type.Optional(
        Type.String({ ...ResourceId, description: 'A `delivery_id`: only older deliveries are listed.' }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: DELIVERIES_PAGE_MAX, default: DELIVERIES_PAGE_DEFAULT }),
      ),
    }),
    answers: { 200: DeliveryList },
    errors: [],
    cli: ['deliveries list'],
    run: {},
  }),
  redeliver: operation({
    ...onOneWebhook,
    id: 'redeliver',
    method: 'POST',
    path: '/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver',
    summary: 'Deliver once more',
    description: 'Puts a dead delivery back in the queue, with its full payload and a fresh set of attempts.',
    params: closed({ id: ResourceId, delivery_id: ResourceId }),
    answers: { 202: DeliveryQueued },
    errors: ['delivery_not_found', 'delivery_not_dead', 'webhook_has_no_url'],
    cli: ['deliveries redeliver'],
  }),
};
