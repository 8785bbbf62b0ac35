import { operations } from '@parley/contract';
import { actorBehind } from '#accounts';
import { apiError } from '#kernel';
import { type OwnedNumber, type Route, serve } from '#platform/http';
import { choose, type HistoryContext, type Keeping, readChoice } from './choose.ts';
import { findChat, findHistory, findNumber } from './conversation-queries.ts';
import { forgetChat } from './owner-actions.ts';
import { readChats, readMessage, readMessages } from './reading.ts';

interface RoutesContext extends HistoryContext {
  /** The canonical address of a chat, for any address of the person. */
  readonly nameOf: (number: OwnedNumber, jid: string) => Promise<string>;
}

export function historyRoutes(context: RoutesContext): Route[] {
  const { read } = context.store;
  /** Resolves the address by the link only when no chat is stored under it. */
  const chatAt = async (number: OwnedNumber, jid: string): Promise<string> => {
    const history = await findHistory(read, number.slotId);
    if (!history || (await findChat(read, history.id, jid))) return jid;
    return context.nameOf(number, jid);
  };
  const numberAt = async ({ slot_id }: { slot_id: string }): Promise<Keeping> => {
    const number = await findNumber(read, slot_id);
    if (!number) throw apiError('device_not_found');
    return number;
  };
  return [
    serve(operations.getHistory, ({ number }) => readChoice(context, number)),
    serve(operations.setHistory, ({ caller, number, body }) =>
      choose(context, number, body, actorBehind(caller)),
    ),
    serve(operations.getDeviceHistory, async ({ params }) => readChoice(context, await numberAt(params))),
    serve(operations.setDeviceHistory, async ({ params, body }) =>
      choose(context, await numberAt(params), body, 'operator'),
    ),
    serve(operations.listChats, ({ number, query, origin }) =>
      readChats({ ...context, origin }, number.slotId, query),
    ),
    serve(operations.listChatMessages, async ({ number, params, query, origin, signal }) =>
      readMessages({ ...context, origin, signal }, number.slotId, await chatAt(number, params.jid), query),
    ),
    serve(operations.getKeptMessage, ({ number, params, origin }) =>
      readMessage({ ...context, origin }, number.slotId, params.message_id),
    ),
    serve(operations.forgetChat, async ({ number, params }) => {
      await forgetChat(context, number.slotId, await chatAt(number, params.jid));
      return undefined;
    }),
  ];
}
