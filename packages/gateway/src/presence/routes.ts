import { operations, recipientJid } from '@parley/contract';
import { type ActionContext, createActionServer } from '#actions';
import type { Route } from '#http';

/** What shows others that the number is there, and it that others are. */
export function presenceRoutes({ callSession, states }: ActionContext): Route[] {
  const serveAction = createActionServer({ states });
  return [
    serveAction(operations.setTyping, {}, async ({ number, body }) => {
      const chat = recipientJid(body.to) ?? body.to;
      await callSession(number, 'presence.setTyping', [chat, body.typing ?? true]);
      return undefined;
    }),
    serveAction(operations.subscribePresence, {}, async ({ number, body }) => {
      await callSession(number, 'presence.subscribe', [body.contact_jid]);
      return undefined;
    }),
  ];
}
