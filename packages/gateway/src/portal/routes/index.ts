import type { Route } from '#http';
import type { PortalContext } from '../context.ts';
import { accountRoutes } from './account.ts';
import { activityRoutes } from './activity.ts';
import { entranceRoutes } from './entrance.ts';
import { keyRoutes } from './keys.ts';
import { numberRoutes } from './numbers.ts';
import { oversightRoutes } from './oversight.ts';
import { sandboxRoutes } from './sandbox.ts';
import { webhookRoutes } from './webhooks.ts';

export function portalRoutes(context: PortalContext): Route[] {
  return [
    ...entranceRoutes(context),
    ...accountRoutes(context),
    ...numberRoutes(context),
    ...keyRoutes(context),
    ...webhookRoutes(context),
    ...activityRoutes(context),
    ...sandboxRoutes(context),
    ...oversightRoutes(context),
  ];
}
