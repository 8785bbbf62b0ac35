import { operations } from '@parley/contract';
import { deletionOf } from '#account-life';
import {
  acceptTerms,
  actorOf,
  createApiKey,
  getAccount,
  listApiKeyUses,
  requireMember,
  revokeApiKey,
  rollApiKey,
  termsOfAccount,
} from '#accounts';
import { type Route, serve } from '#http';
import { fault } from '#kernel';
import type { PortalContext } from '../context.ts';
import { sessionIdsOf } from '../store.ts';

/** What is the account's own, whatever numbers it has. */
export function accountRoutes(context: PortalContext): Route[] {
  const { store, accounts, directory, askSandbox } = context;
  return [
    serve(operations.getMe, async ({ caller }) => {
      const { account_id, name, status } = await getAccount(accounts, caller.accountId);
      const { id: member_id, email } = await requireMember(accounts, caller.memberId);
      const { role } = caller;
      const terms = await termsOfAccount(accounts, caller.accountId);
      const visit = caller.visit
        ? { operator: caller.visit.operator, until: new Date(caller.visit.until).toISOString() }
        : null;
      const deletion = await deletionOf(context.life, caller.accountId);
      return {
        account_id,
        name,
        email,
        member_id,
        role,
        status,
        blocked: caller.blocked,
        terms,
        deletion,
        visit,
      };
    }),
    serve(operations.acceptTerms, async ({ caller, body }) => {
      await acceptTerms(accounts, caller, body.version);
      return termsOfAccount(accounts, caller.accountId);
    }),

    serve(operations.listMyApiKeys, async ({ caller, query }) => {
      const { items, nextCursor } = await listApiKeyUses(accounts, caller.accountId, query);
      return { api_keys: items, next_cursor: nextCursor };
    }),
    serve(operations.createMyApiKey, async ({ caller: { accountId, memberId }, body }) => {
      if (body.phone !== undefined && !(await directory.ownedNumber(accountId, body.phone)))
        throw fault('device_not_found');
      return createApiKey(accounts, actorOf({ id: memberId }), accountId, body);
    }),
    serve(operations.rollMyApiKey, ({ caller: { accountId, memberId }, params, body }) =>
      rollApiKey(accounts, actorOf({ id: memberId }), {
        accountId,
        keyId: params.key_id,
        overlapHours: body.overlap_hours,
      }),
    ),
    serve(operations.revokeMyApiKey, async ({ caller: { accountId, memberId }, params }) => {
      await revokeApiKey(accounts, actorOf({ id: memberId }), accountId, params.key_id);
      return undefined;
    }),

    serve(operations.useSandbox, async ({ caller: { accountId }, body: { method, path, body } }) => {
      if (!askSandbox) throw fault('not_found');
      const guest = { name: accountId, sessions: await sessionIdsOf(store, accountId) };
      return askSandbox({ guest, method, path, body });
    }),
  ];
}
