import Type from 'typebox';
import { Phone } from '../../primitives.ts';
import { DeliveryStats, STATS_BUCKETS, WebhookWithSecret } from '../../resources/index.ts';
import { closed, oneOf } from '../../schema.ts';
import { operation } from '../operation.ts';
import { webhookPath } from '../paths.ts';
import { webhookOperations } from '../webhooks.ts';
import { inPortal, onPortal } from './in-portal.ts';

const { createWebhook, ...onExisting } = webhookOperations;
const { session_id: _inThePath, ...urls } = createWebhook.body.properties;

export const portalWebhookOperations = {
  listMyWebhooks: inPortal(onExisting.listWebhooks, 'listMyWebhooks', '/portal/api/webhooks', 'see'),
  createMyWebhook: operation({
    ...onPortal,
    id: 'createMyWebhook',
    method: 'POST',
    right: 'build',
    path: '/portal/api/numbers/{phone}/webhook',
    summary: 'Register the webhook of a number',
    description: 'The `secret` is shown only in this answer.',
    subject: 'number',
    params: closed({ phone: Phone }),
    body: closed(urls),
    answers: { 201: WebhookWithSecret },
    errors: createWebhook.errors,
  }),
  updateMyWebhook: inPortal(
    onExisting.updateWebhook,
    'updateMyWebhook',
    '/portal/api/webhooks/{id}',
    'build',
  ),
  deleteMyWebhook: inPortal(
    onExisting.deleteWebhook,
    'deleteMyWebhook',
    '/portal/api/webhooks/{id}',
    'build',
  ),
  rotateMyWebhookSecret: inPortal(
    onExisting.rotateWebhookSecret,
    'rotateMyWebhookSecret',
    '/portal/api/webhooks/{id}/rotate-secret',
    'build',
  ),
  testMyWebhook: inPortal(onExisting.testWebhook, 'testMyWebhook', '/portal/api/webhooks/{id}/test', 'build'),
  listMyDeliveries: inPortal(
    onExisting.listDeliveries,
    'listMyDeliveries',
    '/portal/api/webhooks/{id}/deliveries',
    'see',
  ),
  redeliverMine: inPortal(
    onExisting.redeliver,
    'redeliverMine',
    '/portal/api/webhooks/{id}/deliveries/{delivery_id}/redeliver',
    'build',
  ),
  getDeliveryStats: operation({
    ...onPortal,
    id: 'getDeliveryStats',
    method: 'GET',
    right: 'see',
    path: '/portal/api/webhooks/{id}/stats',
    summary: 'How deliveries went: success and latency over time',
    description:
      'By the hour for the last day, or by the day for the last 30. Made of the deliveries that are still in the log.',
    subject: 'webhook',
    params: webhookPath,
    query: closed({ bucket: Type.Optional(oneOf(STATS_BUCKETS, { default: 'hour' })) }),
    answers: { 200: DeliveryStats },
    errors: [],
  }),
};
