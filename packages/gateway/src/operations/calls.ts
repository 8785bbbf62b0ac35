import { operations } from '@parley/contract';
import type { Route } from '#platform/http';
import type { AutoReject, SessionStates } from '#sessions';
import { createActionServer } from './serve-action.ts';

interface CallsContext {
  readonly autoReject: AutoReject;
  readonly states: SessionStates;
}

export function callsRoutes({ autoReject, states }: CallsContext): Route[] {
  const serveAction = createActionServer({ states });
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
