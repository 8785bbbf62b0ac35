import { operations, recipientJid } from '@parley/contract';
import type { Route } from '#platform/http';
import { type ActionContext, createActionServer } from './serve-action.ts';

/** Presence of the number for others, and of others for the number. */
export function presenceRoutes({ getHost, states }: ActionContext): Route[] {
  const serveAction = createActionServer({ states });
  return [
    serveAction(operations.setTyping, {}, async ({ number, body }) => {
      const chat = recipientJid(body.to) ?? body.to;
      await getHost(number).presence.setTyping(chat, body.typing ?? true);
      return undefined;
    }),
    serveAction(operations.subscribePresence, {}, async ({ number, body }) => {
      await getHost(number).presence.subscribe(body.contact_jid);
      return undefined;
    }),
  ];
}
