import {
  GROUP_INVITE_BASE,
  type GroupEntry,
  groupInviteCode,
  operations,
  type Group as PublicGroup,
  type GroupParticipant as PublicParticipant,
} from '@parley/contract';
import { type ActionContext, createActionServer, newPicture, refusalOf } from '#actions';
import type { OwnedNumber, Route } from '#http';
import { fault } from '#kernel';
import type { MediaAccess } from '#media';
import type { Group, GroupOverview, GroupParticipant } from '#network';
import type { CallSession } from '#sessions';
import type { GroupActions } from './host-actions.ts';

interface GroupsContext extends ActionContext {
  readonly actions: GroupActions;
  readonly media: Pick<MediaAccess, 'idOf'>;
}

export function groupsRoutes({ callSession, states, actions, media }: GroupsContext): Route[] {
  const serveAction = createActionServer({ states });
  const forMembers = { not_found: 'group_not_found', refused: 'group_membership_required' } as const;
  const forAdmins = {
    not_found: 'group_not_found',
    refused: (call: AboutGroup) => whyNotAllowed(callSession, call),
  } as const;

  return [
    serveAction(operations.listGroups, {}, async ({ number, query: { details } }) => {
      if (details !== undefined) {
        const detailed = await callSession(number, 'groups.listDetailed', [details === 'members']);
        return { groups: detailed.map(publicOverview) };
      }
      const groups = await callSession(number, 'groups.list', []);
      return { groups: groups.map(({ jid, name }) => ({ jid, name })) };
    }),
    serveAction(operations.createGroup, {}, async ({ number, body }) => {
      const participants = [...new Set(body.participants)];
      return publicGroup(await callSession(number, 'groups.create', [body.name, participants]));
    }),
    serveAction(operations.getGroup, forMembers, async ({ number, params }) =>
      publicGroup(await callSession(number, 'groups.detail', [params.group_id])),
    ),
    serveAction(operations.changeParticipants, forAdmins, async ({ number, params, body }) => {
      const { group_id: jid } = params;
      const participants = [...new Set(body.participants)];
      const results = await callSession(number, 'groups.changeParticipants', [
        jid,
        participants,
        body.action,
      ]);
      return { jid, action: body.action, results: [...results] };
    }),
    serveAction(operations.renameGroup, forAdmins, async ({ number, params: { group_id: jid }, body }) => {
      await callSession(number, 'groups.rename', [jid, body.name]);
      return { jid, name: body.name };
    }),
    serveAction(operations.describeGroup, forAdmins, async ({ number, params: { group_id: jid }, body }) => {
      await callSession(number, 'groups.describe', [jid, body.description]);
      return { jid, description: body.description };
    }),
    serveAction(
      operations.setGroupPhoto,
      { ...forAdmins, malformed: 'picture_unusable' },
      async ({ caller, number, params, body }) => {
        const wanted = { group: params.group_id, picture: await newPicture(media, caller, body) };
        return { picture_id: await callSession(number, actions.setPhoto, wanted) };
      },
    ),
    serveAction(operations.getGroupInvite, forAdmins, async ({ number, params, query }) => {
      const action = query.reset ? 'groups.resetInviteCode' : 'groups.inviteCode';
      const code = await callSession(number, action, [params.group_id]);
      return { invite_link: `${GROUP_INVITE_BASE}${code}`, code };
    }),
    serveAction(operations.joinGroup, { not_found: 'invite_not_found' }, async ({ number, body }) => {
      const code = groupInviteCode(body.link);
      if (code === null) throw fault('invite_not_found');
      return { jid: await callSession(number, 'groups.join', [code]) };
    }),
    serveAction(operations.changeGroupSettings, forAdmins, async ({ number, params, body }) => {
      const { group_id: jid } = params;
      const settings = await callSession(number, actions.changeSettings, { group: jid, ...body });
      return { jid, ...settings };
    }),
    serveAction(operations.leaveGroup, forMembers, async ({ number, params: { group_id: jid } }) => {
      await callSession(number, 'groups.leave', [jid]);
      return { jid, left: true as const };
    }),
  ];
}

interface AboutGroup {
  readonly number: OwnedNumber;
  readonly params: { readonly group_id: string };
}

/** The network says no to strangers and to plain members alike; only members may look at the group. */
async function whyNotAllowed(
  callSession: CallSession,
  { number, params }: AboutGroup,
): Promise<'group_admin_required' | 'group_membership_required'> {
  const isStranger = await refusalOf(callSession(number, 'groups.detail', [params.group_id]));
  return isStranger ? 'group_membership_required' : 'group_admin_required';
}

function publicGroup(group: Group): PublicGroup {
  return { ...publicHead(group), participants: group.participants.map(publicParticipant) };
}

function publicOverview({ participants, size, ...group }: GroupOverview): GroupEntry {
  const members = participants && { participants: participants.map(publicParticipant) };
  return { ...publicHead(group), size, ...members };
}

function publicHead(group: Omit<Group, 'participants'>): Omit<PublicGroup, 'participants'> {
  return {
    jid: group.jid,
    name: group.name,
    description: group.description,
    owner_jid: group.owner ?? '',
    created_at_unix: group.createdAt,
    announce: group.announce,
    locked: group.locked,
  };
}

function publicParticipant({ jid, phoneJid, isAdmin, isSuperAdmin }: GroupParticipant): PublicParticipant {
  return {
    jid,
    ...(phoneJid && { phone_jid: phoneJid }),
    is_admin: isAdmin,
    is_super_admin: isSuperAdmin,
  };
}
