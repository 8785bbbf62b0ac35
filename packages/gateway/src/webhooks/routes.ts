import { DELIVERIES_PAGE_DEFAULT, operations } from '@parley/contract';
import { actorBehind } from '#accounts';
import { type Route, serve } from '#platform/http';
import type { WebhooksContext } from './context.ts';
import {
  registerWebhook,
  removeWebhook,
  rotateSecret,
  updateWebhook,
  webhooksOf,
} from './endpoints/configuration.ts';
import { sendTestDelivery } from './endpoints/test-delivery.ts';
import { deliveriesOf, redeliver } from './history/history.ts';

export function webhooksRoutes(context: WebhooksContext): Route[] {
  return [
    serve(operations.createWebhook, ({ caller, number, body }) =>
      registerWebhook(context, number, body, actorBehind(caller)),
    ),
    serve(operations.updateWebhook, ({ caller, params, body }) =>
      updateWebhook(context, caller, params.id, body),
    ),
    serve(operations.listWebhooks, async ({ caller }) => ({ webhooks: await webhooksOf(context, caller) })),
    serve(operations.deleteWebhook, async ({ caller, params }) => {
      await removeWebhook(context, caller, params.id);
      return undefined;
    }),
    serve(operations.rotateWebhookSecret, async ({ caller, params }) => ({
      secret: await rotateSecret(context, caller, params.id),
    })),
    serve(operations.testWebhook, ({ caller, params, body }) =>
      sendTestDelivery(context, caller, params.id, body),
    ),
    serve(operations.listDeliveries, async ({ caller, params, query }) => ({
      deliveries: await deliveriesOf(context, caller, params.id, {
        ...query,
        limit: query.limit ?? DELIVERIES_PAGE_DEFAULT,
      }),
    })),
    serve(operations.redeliver, ({ caller, params }) =>
      redeliver(context, caller, params.id, params.delivery_id),
    ),
  ];
}
