import {
  GROUP_INVITE_BASE,
  type GroupEntry,
  groupInviteCode,
  operations,
  type Group as PublicGroup,
  type GroupParticipant as PublicParticipant,
} from '@parley/contract';
import { apiError } from '#kernel';
import type { MediaAccess } from '#media';
import type { Group, GroupOverview, GroupParticipant, GroupSettings } from '#network';
import type { OwnedNumber, Route } from '#platform/http';
import type { GetHost, HostAction } from '#sessions';
import { type ActionContext, createActionServer, refusalOf } from './serve-action.ts';
import { type NewPicture, newPicture, sharePicture, type TempFiles } from './temp-files.ts';

export interface GroupActions {
  /** Returns the id of the picture. */
  readonly setPhoto: HostAction<{ readonly group: string; readonly picture: NewPicture }, string>;
  /** Keeps absent settings, and returns all of them. */
  readonly changeSettings: HostAction<{ readonly group: string } & GroupSettings, Required<GroupSettings>>;
}

export function createGroupActions({ files }: { files: TempFiles }): GroupActions {
  return {
    setPhoto: {
      name: 'setGroupPhoto',
      run: ({ number, session: { groups } }, { group, picture }) =>
        sharePicture(files, number.accountId, picture, (image) => groups.setPhoto(group, image)),
    },
    changeSettings: {
      name: 'changeGroupSettings',
      run: ({ session: { groups } }, { group, ...settings }) => groups.changeSettings(group, settings),
    },
  };
}

interface GroupsContext extends ActionContext {
  readonly actions: GroupActions;
  readonly media: Pick<MediaAccess, 'idOf'>;
}

export function groupsRoutes({ getHost, states, actions, media }: GroupsContext): Route[] {
  const serveAction = createActionServer({ states });
  const forMembers = { not_found: 'group_not_found', refused: 'group_membership_required' } as const;
  const forAdmins = {
    not_found: 'group_not_found',
    refused: (call: AboutGroup) => errorForRefusal(getHost, call),
  } as const;

  return [
    serveAction(operations.listGroups, {}, async ({ number, query: { details } }) => {
      if (details !== undefined) {
        const detailed = await getHost(number).groups.listDetailed(details === 'members');
        return { groups: detailed.map(publicOverview) };
      }
      const groups = await getHost(number).groups.list();
      return { groups: groups.map(({ jid, name }) => ({ jid, name })) };
    }),
    serveAction(operations.createGroup, {}, async ({ number, body }) => {
      const participants = [...new Set(body.participants)];
      return publicGroup(await getHost(number).groups.create(body.name, participants));
    }),
    serveAction(operations.getGroup, forMembers, async ({ number, params }) =>
      publicGroup(await getHost(number).groups.detail(params.group_id)),
    ),
    serveAction(operations.changeParticipants, forAdmins, async ({ number, params, body }) => {
      const { group_id: jid } = params;
      const participants = [...new Set(body.participants)];
      const results = await getHost(number).groups.changeParticipants(jid, participants, body.action);
      return { jid, action: body.action, results: [...results] };
    }),
    serveAction(operations.renameGroup, forAdmins, async ({ number, params: { group_id: jid }, body }) => {
      await getHost(number).groups.rename(jid, body.name);
      return { jid, name: body.name };
    }),
    serveAction(operations.describeGroup, forAdmins, async ({ number, params: { group_id: jid }, body }) => {
      await getHost(number).groups.describe(jid, body.description);
      return { jid, description: body.description };
    }),
    serveAction(
      operations.setGroupPhoto,
      { ...forAdmins, malformed: 'picture_unusable' },
      async ({ caller, number, params, body }) => {
        const wanted = { group: params.group_id, picture: await newPicture(media, caller, body) };
        return { picture_id: await getHost(number).run(actions.setPhoto, wanted) };
      },
    ),
    serveAction(operations.getGroupInvite, forAdmins, async ({ number, params, query }) => {
      const { groups } = getHost(number);
      const code = await (query.reset ? groups.resetInviteCode : groups.inviteCode)(params.group_id);
      return { invite_link: `${GROUP_INVITE_BASE}${code}`, code };
    }),
    serveAction(operations.joinGroup, { not_found: 'invite_not_found' }, async (call) => {
      const { number, body } = call;
      const code = groupInviteCode(body.link);
      if (code === null) throw apiError('invite_not_found');
      const { group: jid, isPending } = await getHost(number).groups.join(code);
      if (!isPending) return { jid };
      call.setStatus(202);
      return { jid, status: 'pending_approval' as const };
    }),
    serveAction(operations.listGroupRequests, forAdmins, async ({ number, params }) => {
      const requests = await getHost(number).groups.joinRequests(params.group_id);
      return {
        requests: requests.map(({ jid, phoneJid, requestedAt, method }) => ({
          jid,
          ...(phoneJid && { phone_jid: phoneJid }),
          requested_at_unix: requestedAt,
          method,
        })),
      };
    }),
    serveAction(operations.answerGroupRequests, forAdmins, async ({ number, params, body }) => {
      const { group_id: jid } = params;
      const people = [...new Set(body.participants)];
      const results = await getHost(number).groups.answerJoinRequests(jid, people, body.action);
      return { jid, action: body.action, results: [...results] };
    }),
    serveAction(operations.changeGroupSettings, forAdmins, async ({ number, params, body }) => {
      const { group_id: jid } = params;
      const { announce, locked, join_approval, members_add, ephemeral_seconds } = body;
      const now = await getHost(number).run(actions.changeSettings, {
        group: jid,
        ...(announce !== undefined && { announce }),
        ...(locked !== undefined && { locked }),
        ...(join_approval !== undefined && { joinApproval: join_approval }),
        ...(members_add !== undefined && { membersAdd: members_add }),
        ...(ephemeral_seconds !== undefined && { ephemeralSeconds: ephemeral_seconds }),
      });
      return {
        ...{ jid, announce: now.announce, locked: now.locked },
        // Named to callers who name them.
        ...(join_approval !== undefined && { join_approval: now.joinApproval }),
        ...(members_add !== undefined && { members_add: now.membersAdd }),
        ...(ephemeral_seconds !== undefined && { ephemeral_seconds: now.ephemeralSeconds }),
      };
    }),
    serveAction(operations.leaveGroup, forMembers, async ({ number, params: { group_id: jid } }) => {
      await getHost(number).groups.leave(jid);
      return { jid, left: true as const };
    }),
  ];
}

interface AboutGroup {
  readonly number: OwnedNumber;
  readonly params: { readonly group_id: string };
}

/** The network refuses strangers and plain members alike; only members may read the group. */
async function errorForRefusal(
  getHost: GetHost,
  { number, params }: AboutGroup,
): Promise<'group_admin_required' | 'group_membership_required'> {
  const isStranger = await refusalOf(getHost(number).groups.detail(params.group_id));
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
