import { operations } from '@parley/contract';
import {
  acceptTerms,
  createApiKey,
  getAccount,
  listApiKeyUses,
  revokeApiKey,
  termsOfAccount,
} from '#accounts';
import { type Route, serve } from '#http';
import { fault } from '#kernel';
import type { PortalContext } from '../context.ts';
import { sessionIdsOf } from '../store.ts';

/** What is the account's own, whatever numbers it has. */
export function accountRoutes(context: PortalContext): Route[] {
  const { store, accounts, directory, browserSessions, cookies, signIn, askSandbox } = context;
  return [
    serve(operations.getMe, async ({ caller }) => {
      const { account_id, name, email, status } = await getAccount(accounts, caller.accountId);
      const terms = await termsOfAccount(accounts, caller.accountId);
      return { account_id, name, email, status, blocked: caller.blocked, terms };
    }),
    serve(operations.changePassword, async ({ caller, body, setHeader }) => {
      const { accountId } = caller;
      await signIn.changePassword(accountId, { current: body.current_password, next: body.new_password });
      await browserSessions.endAllOf(accountId);
      const token = await browserSessions.beginOfOwner(accountId);
      setHeader('Set-Cookie', cookies.give('owner', token));
      return undefined;
    }),
    serve(operations.signOutEverywhere, async ({ caller, setHeader }) => {
      await browserSessions.endAllOf(caller.accountId);
      setHeader('Set-Cookie', cookies.takeBack('owner'));
      return undefined;
    }),
    serve(operations.acceptTerms, async ({ caller, body }) => {
      await acceptTerms(accounts, caller.accountId, body.version);
      return termsOfAccount(accounts, caller.accountId);
    }),

    serve(operations.listMyApiKeys, async ({ caller }) => ({
      api_keys: await listApiKeyUses(accounts, caller.accountId),
    })),
    serve(operations.createMyApiKey, async ({ caller: { accountId }, body }) => {
      if (body.phone !== undefined && !(await directory.ownedNumber(accountId, body.phone)))
        throw fault('device_not_found');
      return createApiKey(accounts, `owner:${accountId}`, accountId, body);
    }),
    serve(operations.revokeMyApiKey, async ({ caller: { accountId }, params }) => {
      await revokeApiKey(accounts, `owner:${accountId}`, accountId, params.key_id);
      return undefined;
    }),

    serve(operations.useSandbox, async ({ caller: { accountId }, body: { method, path, body } }) => {
      if (!askSandbox) throw fault('not_found');
      const guest = { name: accountId, sessions: await sessionIdsOf(store, accountId) };
      return askSandbox({ guest, method, path, body });
    }),
  ];
}
