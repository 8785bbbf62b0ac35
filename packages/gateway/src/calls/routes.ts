import { operations } from '@parley/contract';
import { serveAction } from '#actions';
import type { Route } from '#http';
import type { AutoReject } from '#sessions';

export function callsRoutes({ autoReject }: { readonly autoReject: AutoReject }): Route[] {
  return [
    serveAction(operations.getCallAutoReject, {}, async ({ number }) => {
      const { sessionId, enabled } = await autoReject.read(number);
      return { session_id: sessionId, auto_reject: enabled };
    }),
    serveAction(operations.setCallAutoReject, {}, async ({ number, body }) => {
      const { sessionId } = await autoReject.set(number, body.enabled);
      return { session_id: sessionId, auto_reject: body.enabled };
    }),
  ];
}
