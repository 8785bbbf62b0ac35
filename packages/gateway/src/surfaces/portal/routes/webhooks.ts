import { DELIVERIES_PAGE_DEFAULT, operations } from '@parley/contract';
import { actorBehind } from '#accounts';
import { type Route, serve } from '#platform/http';
import {
  deliveryDetail,
  deliveryStats,
  failingReceivers,
  hurryDelivery,
  hurryWebhook,
  registerWebhook,
  removeWebhook,
  repeatDelivery,
  replayOf,
  rotateSecret,
  searchDeliveries,
  sendTestDelivery,
  startReplay,
  updateWebhook,
  webhooksOf,
} from '#webhooks';
import type { PortalContext } from '../context.ts';

export function webhookRoutes({ webhooks }: PortalContext): Route[] {
  return [
    serve(operations.listMyWebhooks, async ({ caller }) => ({
      webhooks: await webhooksOf(webhooks, caller),
    })),
    serve(operations.createMyWebhook, ({ caller, number, body }) =>
      registerWebhook(webhooks, number, body, actorBehind(caller)),
    ),
    serve(operations.updateMyWebhook, ({ caller, params, body }) =>
      updateWebhook(webhooks, caller, params.id, body),
    ),
    serve(operations.deleteMyWebhook, async ({ caller, params }) => {
      await removeWebhook(webhooks, caller, params.id);
      return undefined;
    }),
    serve(operations.rotateMyWebhookSecret, async ({ caller, params }) => ({
      secret: await rotateSecret(webhooks, caller, params.id),
    })),
    serve(operations.testMyWebhook, ({ caller, params, body }) =>
      sendTestDelivery(webhooks, caller, params.id, body),
    ),
    serve(operations.listMyDeliveries, async ({ caller, params, query }) => ({
      deliveries: await searchDeliveries(webhooks, caller, params.id, {
        ...query,
        limit: query.limit ?? DELIVERIES_PAGE_DEFAULT,
      }),
    })),
    serve(operations.getMyDelivery, ({ caller, params }) =>
      deliveryDetail(webhooks, caller, params.id, params.delivery_id),
    ),
    serve(operations.redeliverMine, ({ caller, params }) =>
      repeatDelivery(webhooks, caller, params.id, params.delivery_id),
    ),
    serve(operations.hurryMyDelivery, ({ caller, params }) =>
      hurryDelivery(webhooks, caller, params.id, params.delivery_id),
    ),
    serve(operations.hurryMyWebhook, async ({ caller, params }) => {
      await hurryWebhook(webhooks, caller, params.id);
      return undefined;
    }),
    serve(operations.replayDeliveries, ({ caller, params, body }) =>
      startReplay(webhooks, caller, params.id, body),
    ),
    serve(operations.getReplay, ({ caller, params }) =>
      replayOf(webhooks, caller, params.id, params.replay_id),
    ),
    serve(operations.listFailingReceivers, async ({ caller }) => {
      const { items, hasMore } = await failingReceivers(webhooks, caller.accountId);
      return { receivers: items, has_more: hasMore };
    }),
    serve(operations.getDeliveryStats, ({ caller, params, query }) =>
      deliveryStats(webhooks, caller, params.id, query.bucket ?? 'hour'),
    ),
  ];
}
