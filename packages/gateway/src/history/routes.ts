import { operations } from '@parley/contract';
import { type Route, serve } from '#http';
import { fault } from '#kernel';
import { choose, type HistoryContext, type Keeping, readChoice } from './choose.ts';
import { forgetChat } from './owner-actions.ts';
import { readChats, readMessage, readMessages } from './reading.ts';
import { findNumber } from './store.ts';

export function historyRoutes(context: HistoryContext): Route[] {
  const numberAt = async ({ slot_id }: { slot_id: string }): Promise<Keeping> => {
    const number = await findNumber(context.store.read, slot_id);
    if (!number) throw fault('device_not_found');
    return number;
  };
  return [
    serve(operations.getHistory, ({ number }) => readChoice(context, number)),
    serve(operations.setHistory, ({ number, body }) => choose(context, number, body)),
    serve(operations.getDeviceHistory, async ({ params }) => readChoice(context, await numberAt(params))),
    serve(operations.setDeviceHistory, async ({ params, body }) =>
      choose(context, await numberAt(params), body),
    ),
    serve(operations.listChats, ({ number, query, origin }) =>
      readChats({ ...context, origin }, number.slotId, query),
    ),
    serve(operations.listChatMessages, ({ number, params, query, origin }) =>
      readMessages({ ...context, origin }, number.slotId, params.jid, query),
    ),
    serve(operations.getKeptMessage, ({ number, params, origin }) =>
      readMessage({ ...context, origin }, number.slotId, params.message_id),
    ),
    serve(operations.forgetChat, async ({ number, params }) => {
      await forgetChat(context, number.slotId, params.jid);
      return undefined;
    }),
  ];
}
