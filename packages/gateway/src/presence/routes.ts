import { operations } from '@parley/contract';
import { serveAction } from '#actions';
import type { Route } from '#http';
import type { CallSession } from '#sessions';

/** What shows others that the number is there, and it that others are. */
export function presenceRoutes({ callSession }: { readonly callSession: CallSession }): Route[] {
  return [
    serveAction(operations.setTyping, {}, async ({ number, body }) => {
      await callSession(number, 'presence.setTyping', [body.to, body.typing ?? true]);
      return undefined;
    }),
    serveAction(operations.subscribePresence, {}, async ({ number, body }) => {
      await callSession(number, 'presence.subscribe', [body.contact_jid]);
      return undefined;
    }),
  ];
}
