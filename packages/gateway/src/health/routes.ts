import { operations } from '@parley/contract';
import { actorBehind } from '#accounts';
import { type Route, serve } from '#platform/http';
import { type HealthContext, readHealth, setPacing } from './health.ts';

export function healthRoutes(context: HealthContext): Route[] {
  return [
    serve(operations.getSessionHealth, ({ number, query }) => readHealth(context, number, query.days)),
    serve(operations.setPacing, ({ caller, number, body }) =>
      setPacing(context, number, body, actorBehind(caller)),
    ),
  ];
}
