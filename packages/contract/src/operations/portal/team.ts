import { INVITATION_DAYS } from '../../limits.ts';
import { Email, ResourceId } from '../../primitives.ts';
import { InvitationMade, Member, Team } from '../../resources/index.ts';
import { MEMBER_ROLES } from '../../roles.ts';
import { closed, oneOf } from '../../schema.ts';
import { operation } from '../operation.ts';
import { onPortal } from './in-portal.ts';

const onMember = { ...onPortal, subject: 'member', params: closed({ member_id: ResourceId }) } as const;

/** Members and invitations of the account. */
export const portalTeamOperations = {
  getTeam: operation({
    ...onPortal,
    id: 'getTeam',
    method: 'GET',
    right: 'see',
    path: '/portal/api/team',
    summary: 'List members and open invitations',
    listBound: '`MEMBERS_MAX`.',
    answers: { 200: Team },
    errors: [],
  }),
  inviteMember: operation({
    ...onPortal,
    id: 'inviteMember',
    method: 'POST',
    right: 'administer',
    path: '/portal/api/team/invitations',
    summary: 'Invite a member to the account',
    description: `Good for ${INVITATION_DAYS} days. By mail the link goes to that address alone; by link it is in this answer, to be handed over. Another invitation of the same address replaces the first.`,
    body: closed({ email: Email, role: oneOf(MEMBER_ROLES), by: oneOf(['mail', 'link']) }),
    answers: { 201: InvitationMade },
    errors: ['mail_off', 'email_taken', 'too_many_members', 'sign_in_too_often'],
  }),
  revokeInvitation: operation({
    ...onPortal,
    id: 'revokeInvitation',
    method: 'DELETE',
    right: 'administer',
    path: '/portal/api/team/invitations/{invitation_id}',
    summary: 'Take an invitation back',
    subject: 'invitation',
    params: closed({ invitation_id: ResourceId }),
    answers: { 204: null },
    errors: [],
  }),
  changeMember: operation({
    ...onMember,
    id: 'changeMember',
    method: 'PATCH',
    right: 'administer',
    path: '/portal/api/team/members/{member_id}',
    summary: 'Give a member another role',
    body: closed({ role: oneOf(MEMBER_ROLES) }),
    answers: { 200: Member },
    errors: ['last_owner'],
  }),
  removeMember: operation({
    ...onMember,
    id: 'removeMember',
    method: 'DELETE',
    right: 'administer',
    path: '/portal/api/team/members/{member_id}',
    summary: 'Remove a member',
    description:
      'Ends every visit of theirs. API keys that they have made keep working until they are revoked.',
    answers: { 204: null },
    errors: ['last_owner'],
  }),
};
