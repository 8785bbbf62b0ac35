import type { OperationId } from '@parley/contract';
import type { Caller, KeyHolder, RequestContext, Route, Visitor } from '#http';
import type { AccountsContext } from '../context.ts';
import { changeInTurn } from '../store.ts';
import { type Actor, type Change, record } from './store.ts';

/** What accounts change in rooms that know nothing of the audit log, by whichever door. */
const AUDITED: Partial<Record<OperationId, Change['action']>> = {
  createWebhook: 'webhook.created',
  createMyWebhook: 'webhook.created',
  updateWebhook: 'webhook.changed',
  updateMyWebhook: 'webhook.changed',
  deleteWebhook: 'webhook.removed',
  deleteMyWebhook: 'webhook.removed',
  rotateWebhookSecret: 'webhook.secret_rotated',
  rotateMyWebhookSecret: 'webhook.secret_rotated',
  startQrPairing: 'pairing.started',
  startCodePairing: 'pairing.started',
  startPairing: 'pairing.started',
  cancelOnboarding: 'pairing.canceled',
  cancelPairing: 'pairing.canceled',
  deleteSession: 'session.ended',
  unlinkNumber: 'session.ended',
  setHistory: 'history.chosen',
  chooseHistory: 'history.chosen',
  setPacing: 'pacing.chosen',
  choosePacing: 'pacing.chosen',
};

/** The same routes, which note in the audit log what was changed through them. */
export function auditRoutes(routes: readonly Route[], context: AccountsContext): readonly Route[] {
  return routes.map((route) => {
    const action = AUDITED[route.operation.id as OperationId];
    if (action === undefined) return route;
    return {
      ...route,
      async handle(call) {
        const answer = await route.handle(call);
        await note(context, action, call, answer);
        return answer;
      },
    };
  });
}

async function note(
  { store, clock }: AccountsContext,
  action: Change['action'],
  call: RequestContext,
  answer: unknown,
): Promise<void> {
  const { caller, number } = call as { caller?: Caller; number?: { slotId: string; phone: string } };
  const actor = caller && actorOf(caller);
  if (!caller || !actor) return;
  const { accountId } = caller;
  const ids = [call.params, answer, call.body].map((part) => idIn(part));
  const subject = ids.find((id) => id !== undefined) ?? number?.slotId ?? accountId;
  const detail = number ? { phone: number.phone } : {};
  await changeInTurn(store, (trx) => record(trx, clock.now(), { actor, accountId, action, subject, detail }));
}

function actorOf(caller: Caller & Partial<Visitor & KeyHolder>): Actor | undefined {
  if (caller.memberId !== undefined) return `member:${caller.memberId}`;
  return caller.keyId === undefined ? undefined : `key:${caller.keyId}`;
}

const NAMES_OF_IDS = ['id', 'onboard_id', 'slot_id'] as const;

function idIn(part: unknown): string | undefined {
  if (typeof part !== 'object' || part === null) return undefined;
  const named = part as Readonly<Record<string, unknown>>;
  const found = NAMES_OF_IDS.map((name) => named[name]).find((value) => typeof value === 'string');
  return found === undefined ? undefined : String(found);
}
