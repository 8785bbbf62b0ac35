import { operations } from '@parley/contract';
import { acceptTerms, getAccount, termsOfAccount } from '#accounts';
import { type Route, serve } from '#http';
import { LIFETIMES } from '../browser-sessions.ts';
import type { PortalContext } from '../context.ts';

export function accountRoutes({ accounts, browserSessions, cookies, signIn }: PortalContext): Route[] {
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
      setHeader('Set-Cookie', cookies.give('owner', token, LIFETIMES.owner.wholeMs / 1_000));
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
  ];
}
