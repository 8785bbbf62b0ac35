import { MESSAGES_PAGE_DEFAULT, operations } from '@parley/contract';
import { actorBehind } from '#accounts';
import { choose, forgetChat, readChats, readChoice, readMessages } from '#conversations';
import { readHealth, setPacing } from '#health';
import { messagesOf } from '#messages';
import { type Route, serve } from '#platform/http';
import type { PortalContext } from '../context.ts';
import {
  cancelPlan,
  changePlan,
  choosePresence,
  getNumber,
  listNumbers,
  nameNumber,
  registerNumber,
  removeNumber,
  testSend,
} from '../numbers.ts';

const HEALTH_DAYS_SHOWN = 30;

export function numberRoutes(context: PortalContext): Route[] {
  const { store, linking, logins, health, history } = context;
  return [
    serve(operations.listNumbers, async ({ caller, query }) => {
      const { items, nextCursor } = await listNumbers(context, caller, query);
      return { numbers: items, next_cursor: nextCursor };
    }),
    serve(operations.registerNumber, ({ caller, body }) => registerNumber(context, caller, body)),
    serve(operations.getNumber, ({ number }) => getNumber(context, number)),
    serve(operations.changePlan, ({ caller, number, body }) =>
      changePlan(context, number, { plan: body.plan, memberId: caller.memberId }),
    ),

    serve(operations.cancelPlan, ({ caller, number }) => cancelPlan(context, number, caller.memberId)),
    serve(operations.removeNumber, async ({ caller, number }) => {
      await removeNumber(context, number, caller.memberId);
      return undefined;
    }),
    serve(operations.nameNumber, ({ caller, number, body }) =>
      nameNumber(context, number, { nickname: body.nickname, memberId: caller.memberId }),
    ),

    serve(operations.startPairing, ({ caller, number, body }) =>
      linking.start(caller, number.slotId, body.method),
    ),
    serve(operations.getPairing, ({ caller, params, origin }) =>
      linking.poll({ ...caller, origin }, params.id),
    ),
    serve(operations.answerPairing, ({ caller, params, body, origin }) =>
      linking.answer({ ...caller, origin }, params.id, body),
    ),
    serve(operations.confirmCodes, ({ caller, params, origin }) =>
      linking.confirm({ ...caller, origin }, params.id),
    ),
    serve(operations.cancelPairing, async ({ caller, params, origin }) => {
      await linking.cancel({ ...caller, origin }, params.id);
      return undefined;
    }),
    serve(operations.getLoginPasskey, ({ number, origin }) => logins.read({ number, origin })),
    serve(operations.answerLoginPasskey, ({ number, body, origin }) =>
      logins.answer({ number, origin }, body),
    ),
    serve(operations.confirmLoginCodes, ({ number, origin }) => logins.confirm({ number, origin })),
    serve(operations.askLoginPasskey, ({ number, origin }) => logins.ask({ number, origin })),
    serve(operations.refuseLoginCodes, async ({ number }) => {
      await logins.refuse(number);
      return undefined;
    }),
    serve(operations.unlinkNumber, async ({ caller, number }) => {
      await linking.end(number, actorBehind(caller));
      return undefined;
    }),

    serve(operations.getNumberHealth, ({ number }) => readHealth(health, number, HEALTH_DAYS_SHOWN)),
    serve(operations.choosePacing, ({ caller, number, body }) =>
      setPacing(health, number, body, actorBehind(caller)),
    ),
    serve(operations.getNumberHistory, ({ number }) => readChoice(history, number)),
    serve(operations.chooseHistory, ({ caller, number, body }) =>
      choose(history, number, body, actorBehind(caller)),
    ),
    serve(operations.choosePresence, ({ number, body }) => choosePresence(context, number, body.policy)),

    serve(operations.listMessages, async ({ number, query }) => ({
      messages: await messagesOf(store, number, { ...query, limit: query.limit ?? MESSAGES_PAGE_DEFAULT }),
    })),
    serve(operations.testSend, ({ number, body, header }) =>
      testSend(context, number, body, header('Idempotency-Key')),
    ),
  ];
}

/** Stored conversations of a number. */
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
