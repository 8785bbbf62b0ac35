import { operations, parseSessionId } from '@parley/contract';
import { actorBehind } from '#accounts';
import { apiError, pageOf } from '#kernel';
import { type Route, serve } from '#platform/http';
import { type EndContext, endSession } from './ending/end-session.ts';
import type { LoginPasskeys } from './pairing/login-passkey.ts';
import {
  answerOnboarding,
  cancelOnboarding,
  confirmOnboarding,
  type OnboardContext,
  pollOnboarding,
  startOnboarding,
} from './pairing/onboard.ts';
import { choosePresence } from './presence-policy.ts';
import { allWorkers, findSession, sessionRows, sessionsOfAccount } from './session-queries.ts';
import { hostedSessionView, type Moment, sessionView, workerView } from './status.ts';

export type SessionsContext = OnboardContext & EndContext & { readonly logins: LoginPasskeys };

export function sessionsRoutes(context: SessionsContext): Route[] {
  const { store, clock, machineClock, logins } = context;
  const moment = (): Moment => ({ now: clock.now(), machineNow: machineClock.now() });

  return [
    serve(operations.startQrPairing, ({ caller, body }) =>
      startOnboarding(context, caller, body.slot_id, 'qr'),
    ),
    serve(operations.startCodePairing, ({ caller, body }) =>
      startOnboarding(context, caller, body.slot_id, 'code'),
    ),
    serve(operations.getOnboarding, ({ caller, params, origin }) =>
      pollOnboarding(context, { ...caller, origin }, params.id),
    ),
    serve(operations.answerPasskey, ({ caller, params, body, origin }) =>
      answerOnboarding(context, { ...caller, origin }, params.id, body),
    ),
    serve(operations.confirmPairing, ({ caller, params, origin }) =>
      confirmOnboarding(context, { ...caller, origin }, params.id),
    ),
    serve(operations.cancelOnboarding, async ({ caller, params, origin }) => {
      await cancelOnboarding(context, { ...caller, origin }, params.id);
      return undefined;
    }),

    serve(operations.listSessions, async ({ caller }) => {
      const rows = await sessionsOfAccount(store.read, caller.accountId, caller.phone);
      return { sessions: rows.map((row) => sessionView(row, moment())) };
    }),
    serve(operations.getSession, async ({ number }) => {
      const row = await findSession(store.read, number.slotId);
      if (!row) throw apiError('session_not_found');
      return sessionView(row, moment());
    }),
    serve(operations.deleteSession, async ({ caller, number, params }) => {
      await endSession(context, number, {
        by: actorBehind(caller),
        device: parseSessionId(params.id)?.device,
      });
      return undefined;
    }),

    serve(operations.getSessionPasskey, ({ number, origin }) => logins.read({ number, origin })),
    serve(operations.answerSessionPasskey, ({ number, body, origin }) =>
      logins.answer({ number, origin }, body),
    ),
    serve(operations.confirmSessionPasskey, ({ number, origin }) => logins.confirm({ number, origin })),
    serve(operations.askSessionPasskey, ({ number, origin }) => logins.ask({ number, origin })),

    serve(operations.setPresencePolicy, ({ number, body }) =>
      choosePresence(context, number.slotId, body.policy),
    ),

    serve(operations.listHostedSessions, async ({ query }) => {
      const rows = await sessionRows(store.read, query);
      const { items, nextCursor } = pageOf(rows, query, ({ slot_id }) => slot_id);
      return { sessions: items.map((row) => hostedSessionView(row, moment())), next_cursor: nextCursor };
    }),
    serve(operations.listWorkers, async () => {
      const workers = await allWorkers(store.read);
      return { workers: workers.map((worker) => workerView(worker, moment())) };
    }),
  ];
}
