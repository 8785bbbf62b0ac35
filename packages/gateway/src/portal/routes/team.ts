import { operations } from '@parley/contract';
import { changeMember, inviteMember, readTeam, removeMember, revokeInvitation } from '#accounts';
import { type Route, serve } from '#http';
import type { PortalContext } from '../context.ts';

/** Who belongs to the account. */
export function teamRoutes({ accounts, cookies, signIn }: PortalContext): Route[] {
  return [
    serve(operations.getTeam, ({ caller }) => readTeam(accounts, caller.accountId)),
    serve(operations.inviteMember, async ({ caller: { accountId, memberId }, body, origin }) => {
      await signIn.limitInvitations(accountId, body.email);
      return inviteMember(accounts, { accountId, memberId, origin }, body);
    }),
    serve(operations.revokeInvitation, async ({ caller, params }) => {
      await revokeInvitation(accounts, caller, params.invitation_id);
      return undefined;
    }),
    serve(operations.changeMember, ({ caller, params, body }) =>
      changeMember(accounts, caller, { memberId: params.member_id, role: body.role }),
    ),
    serve(operations.removeMember, async ({ caller, params }) => {
      await removeMember(accounts, caller, params.member_id);
      return undefined;
    }),
    serve(operations.leaveAccount, async ({ caller, setHeader }) => {
      await removeMember(accounts, caller, caller.memberId);
      setHeader('Set-Cookie', cookies.takeBack('owner'));
      return undefined;
    }),
  ];
}
