import { operations } from '@parley/contract';
import { serveAction } from '#actions';
import type { OwnedNumber, Route } from '#http';
import { fault } from '#kernel';
import type { AutoReject, SessionStates } from '#sessions';

export interface CallsContext {
  readonly autoReject: AutoReject;
  readonly states: SessionStates;
}

export function callsRoutes({ autoReject, states }: CallsContext): Route[] {
  return [
    serveAction(operations.getCallAutoReject, {}, async ({ number }) => {
      await requireOnline(states, number);
      const { sessionId, enabled } = await autoReject.read(number);
      return { session_id: sessionId, auto_reject: enabled };
    }),
    serveAction(operations.setCallAutoReject, {}, async ({ number, body }) => {
      const { sessionId } = await autoReject.set(number, body.enabled);
      return { session_id: sessionId, auto_reject: body.enabled };
    }),
  ];
}

/** The setting can be read without the host, but a number that is not online has none to speak of. */
async function requireOnline(states: SessionStates, { slotId }: OwnedNumber): Promise<void> {
  const state = await states.find(slotId);
  if (state?.status !== 'connected') throw fault('session_not_hosted');
}
