import { operations } from '@parley/contract';
import { forgetChat, readChats, readMessages } from '#history';
import { type Route, serve } from '#http';
import type { PortalContext } from '../context.ts';

/** What a number keeps of its conversations. */
export function chatRoutes({ history }: Pick<PortalContext, 'history'>): Route[] {
  return [
    serve(operations.listNumberChats, ({ number, query, origin }) =>
      readChats({ ...history, origin }, number.slotId, query),
    ),
    serve(operations.listNumberChatMessages, ({ number, params, query, origin, signal }) =>
      readMessages({ ...history, origin, signal }, number.slotId, params.jid, query),
    ),
    serve(operations.forgetNumberChat, async ({ number, params }) => {
      await forgetChat(history, number.slotId, params.jid);
      return undefined;
    }),
  ];
}
