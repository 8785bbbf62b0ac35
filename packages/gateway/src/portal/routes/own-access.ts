import { operations } from '@parley/contract';
import { readTwoFactor, requireMember, signOutEverywhere } from '#accounts';
import { type RequestContext, type Route, serve, type Visitor } from '#http';
import type { PortalContext } from '../context.ts';

type Visit = Pick<RequestContext, 'header' | 'setHeader' | 'address'> & { readonly caller: Visitor };

/** How a member gets in: password, second factor, and the browsers that are in already. */
export function ownAccessRoutes({
  accounts,
  clock,
  browserSessions,
  cookies,
  signIn,
}: PortalContext): Route[] {
  /** Every visit of the member is over; this one goes on under another token. */
  async function begin({ caller, header, setHeader, address }: Visit): Promise<void> {
    const member = await requireMember(accounts, caller.memberId);
    const token = await browserSessions.beginOfMember(member, { name: header('User-Agent'), address });
    setHeader('Set-Cookie', cookies.give('owner', token));
  }

  return [
    serve(operations.changePassword, async (call) => {
      const { current_password: current, new_password: next } = call.body;
      await signIn.changePassword(call.caller.memberId, { current, next });
      await begin(call);
      return undefined;
    }),
    serve(operations.getTwoFactor, ({ caller }) => readTwoFactor(accounts, caller.memberId)),
    serve(operations.beginTwoFactor, ({ caller, body }) =>
      signIn.beginTwoFactor(caller.memberId, body.password),
    ),
    serve(operations.confirmTwoFactor, async (call) => {
      const codes = await signIn.confirmTwoFactor(call.caller.memberId, call.body.code);
      await begin(call);
      return { recovery_codes: codes };
    }),
    serve(operations.endTwoFactor, async ({ caller, body }) => {
      await signIn.endTwoFactor(caller.memberId, body);
      return undefined;
    }),
    serve(operations.listBrowserSessions, async ({ caller, header }) => {
      const current = cookies.read(header('Cookie'), 'owner') ?? '';
      const member = await requireMember(accounts, caller.memberId);
      return browserSessions.listOf(member, current, clock.now());
    }),
    serve(operations.endBrowserSession, async ({ caller, params }) => {
      await browserSessions.endOne(await requireMember(accounts, caller.memberId), params.session_id);
      return undefined;
    }),
    serve(operations.askForVerification, async ({ caller }) => {
      await signIn.askForVerification(caller.memberId);
      return undefined;
    }),
    serve(operations.signOutEverywhere, async ({ caller, setHeader }) => {
      await signOutEverywhere(accounts, caller.memberId);
      setHeader('Set-Cookie', cookies.takeBack('owner'));
      return undefined;
    }),
  ];
}
