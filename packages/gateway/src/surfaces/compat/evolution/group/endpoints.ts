import {
  GROUP_DESCRIPTION_MAX_LENGTH,
  GROUP_NAME_MAX_LENGTH,
  GROUP_PARTICIPANTS_MAX,
  type Group,
  type GroupEntry,
  type GroupParticipant,
  operations,
} from '@parley/contract';
import type { TSchema } from 'typebox';
import Type from 'typebox';
import type { CompatEndpoint, CompatResponse } from '#platform/http';
import { pictureOf } from '../chat/endpoints.ts';
import {
  Address,
  Addresses,
  fieldsOf,
  jidOf,
  OptionalAddress,
  OptionalLines,
  optionalText,
  SMALL_BODY_BYTES,
  Text,
  Url,
} from '../fields.ts';
import { type EvolutionContext, type InstanceCall, onInstance, sessionOf } from '../instances.ts';
import { badRequest, invalid } from '../refusals.ts';
import { sendInvites } from './invite.ts';

/** People per request. Each invitation counts as a send of the number. */
const INVITED_MAX = 50;
/** Groups of one page; clients of this interface expect all of them on the first. */
const GROUPS_MAX = 1_000;

/** Group in the query, or in the body of clients that send it there. */
const GroupQuery = Type.Object({ groupJid: OptionalAddress });
const GroupBody = Type.Object({ groupJid: OptionalAddress });

const CreateBody = Type.Object({
  subject: Text(GROUP_NAME_MAX_LENGTH),
  description: OptionalLines(GROUP_DESCRIPTION_MAX_LENGTH),
  participants: Type.Optional(Type.Array(Address, { maxItems: GROUP_PARTICIPANTS_MAX })),
});
const GroupsQuery = Type.Object({
  getParticipants: Type.Optional(Type.Boolean()),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: GROUPS_MAX })),
});
const ParticipantsBody = Type.Object({
  ...GroupBody.properties,
  action: Type.Enum(['add', 'remove', 'promote', 'demote'], { type: 'string' }),
  participants: Addresses(GROUP_PARTICIPANTS_MAX),
});
const SubjectBody = Type.Object({ ...GroupBody.properties, subject: Text(GROUP_NAME_MAX_LENGTH) });
const DescriptionBody = Type.Object({
  ...GroupBody.properties,
  description: OptionalLines(GROUP_DESCRIPTION_MAX_LENGTH),
});
const PictureBody = Type.Object({ ...GroupBody.properties, image: Url });
const InviteBody = Type.Object({
  ...GroupBody.properties,
  numbers: Addresses(INVITED_MAX),
  description: OptionalLines(GROUP_DESCRIPTION_MAX_LENGTH),
});
const InviteCodeQuery = Type.Object({ inviteCode: Text(256) });
const SettingBody = Type.Object({
  ...GroupBody.properties,
  action: Type.Enum(['announcement', 'not_announcement', 'locked', 'unlocked'], { type: 'string' }),
});
const EphemeralBody = Type.Object({ ...GroupBody.properties, expiration: Type.Integer() });

type GroupCall<B extends TSchema> = InstanceCall<{ readonly query: typeof GroupQuery; readonly body: B }> & {
  readonly group: { readonly id: string; readonly group_id: string };
};

/** Body limit: room for every member that a group can have. */
const PEOPLE_BODY_BYTES = 4 * SMALL_BODY_BYTES;
const onGroups = { permission: 'groups', bodyMaxBytes: SMALL_BODY_BYTES } as const;

export function groupEndpoints(context: EvolutionContext): CompatEndpoint[] {
  return [...listEndpoints(context), ...changeEndpoints(context), ...inviteEndpoints(context)];
}

/** Defines an endpoint whose path is about one group. */
function groupServer(context: EvolutionContext) {
  return function onGroup<B extends typeof GroupBody>(
    [method, path]: readonly [CompatEndpoint['method'], string],
    body: B,
    handle: (call: GroupCall<B>) => Promise<CompatResponse>,
    declared: Pick<CompatEndpoint, 'bodyMaxBytes' | 'pageMax' | 'permission'> = {},
  ): CompatEndpoint {
    return onInstance<{ readonly query: typeof GroupQuery; readonly body: B }>(
      context,
      [method, `/group/${path}`],
      (call) => {
        const jid = call.query.groupJid ?? optionalText(fieldsOf(call.body), 'groupJid');
        if (jid === undefined) throw badRequest('The group id needs to be informed in the query');
        const group_id = jid.includes('@') ? jid : `${jid}@g.us`;
        return handle({ ...call, group: { id: sessionOf(call.instance), group_id } });
      },
      { ...onGroups, ...declared, input: { query: GroupQuery, body } },
    );
  };
}

function listEndpoints(context: EvolutionContext): CompatEndpoint[] {
  const onGroup = groupServer(context);
  return [
    onInstance(
      context,
      ['GET', '/group/fetchAllGroups'],
      async (call) => {
        const { getParticipants = false, page = 1 } = call.query;
        const { groups } = await call.invoke(operations.listGroups, {
          params: paramsOf(call),
          query: { details: getParticipants ? 'members' : 'head' },
        });
        return { body: groups.slice((page - 1) * GROUPS_MAX, page * GROUPS_MAX).map(shownEntry) };
      },
      { ...onGroups, input: { query: GroupsQuery }, pageMax: GROUPS_MAX },
    ),
    onGroup(['GET', 'findGroupInfos'], GroupBody, async (call) => {
      const group = shownGroup(await call.invoke(operations.getGroup, { params: call.group }));
      return { body: { ...group, pictureUrl: await pictureOf(call, call.group.group_id) } };
    }),
    onGroup(
      ['GET', 'participants'],
      GroupBody,
      async (call) => {
        const { participants } = shownGroup(await call.invoke(operations.getGroup, { params: call.group }));
        return { body: { participants } };
      },
      { pageMax: GROUP_PARTICIPANTS_MAX },
    ),
  ];
}

function changeEndpoints(context: EvolutionContext): CompatEndpoint[] {
  const onGroup = groupServer(context);
  return [
    onInstance(
      context,
      ['POST', '/group/create'],
      async (call) => {
        const { subject, description, participants = [] } = call.body;
        const body = { name: subject, participants: participants.map(jidOf) };
        const made = await call.invoke(operations.createGroup, { params: paramsOf(call), body });
        const group = { ...paramsOf(call), group_id: made.jid };
        if (description)
          await call.invoke(operations.describeGroup, { params: group, body: { description } });
        return { status: 201, body: shownGroup({ ...made, description: description || made.description }) };
      },
      { ...onGroups, input: { body: CreateBody }, bodyMaxBytes: PEOPLE_BODY_BYTES },
    ),
    onGroup(
      ['POST', 'updateParticipant'],
      ParticipantsBody,
      async (call) => {
        const { action, participants } = call.body;
        const body = { action, participants: participants.map(jidOf) };
        const { results } = await call.invoke(operations.changeParticipants, { params: call.group, body });
        const shown = results.map(({ jid, ok }) => ({ status: ok ? '200' : '403', jid, content: {} }));
        return { status: 201, body: { updateParticipants: shown } };
      },
      { bodyMaxBytes: PEOPLE_BODY_BYTES },
    ),
    onGroup(['POST', 'updateGroupSubject'], SubjectBody, async (call) => {
      const { subject: name } = call.body;
      await call.invoke(operations.renameGroup, { params: call.group, body: { name } });
      return { status: 201, body: { update: 'success' } };
    }),
    onGroup(['POST', 'updateGroupDescription'], DescriptionBody, async (call) => {
      const { description = '' } = call.body;
      await call.invoke(operations.describeGroup, { params: call.group, body: { description } });
      return { status: 201, body: { update: 'success' } };
    }),
    onGroup(['POST', 'updateGroupPicture'], PictureBody, async (call) => {
      const { image: image_url } = call.body;
      await call.invoke(operations.setGroupPhoto, { params: call.group, body: { image_url } });
      return { status: 201, body: { update: 'success' } };
    }),
    onGroup(['POST', 'updateSetting'], SettingBody, async (call) => {
      const body = SETTINGS[call.body.action];
      await call.invoke(operations.changeGroupSettings, { params: call.group, body });
      return { status: 201, body: { updateSetting: 'success' } };
    }),
    onGroup(
      ['POST', 'toggleEphemeral'],
      EphemeralBody,
      async (call) => {
        const disappearing_timer = TIMERS[call.body.expiration];
        if (disappearing_timer === undefined)
          throw invalid('expiration is not one of enum values: 0,86400,604800,7776000');
        const { id: session_id, group_id: to } = call.group;
        await call.invoke(operations.sendMessage, {
          body: { session_id, to, type: 'disappearing', disappearing_timer },
          headers: { 'Idempotency-Key': call.requestId },
        });
        return { status: 201, body: { success: true } };
      },
      { permission: 'messages' },
    ),
    onGroup(['DELETE', 'leaveGroup'], GroupBody, async (call) => {
      await call.invoke(operations.leaveGroup, { params: call.group });
      return { body: { groupJid: call.group.group_id, leave: true } };
    }),
  ];
}

function inviteEndpoints(context: EvolutionContext): CompatEndpoint[] {
  const onGroup = groupServer(context);
  return [
    onGroup(['GET', 'inviteCode'], GroupBody, async (call) => {
      const { invite_link, code } = await call.invoke(operations.getGroupInvite, { params: call.group });
      return { body: { inviteUrl: invite_link, inviteCode: code } };
    }),
    onGroup(['POST', 'sendInvite'], InviteBody, async (call) => {
      const { numbers, description } = call.body;
      const inviteUrl = await sendInvites(call, { ...call.group, numbers, description });
      return { body: { send: true, inviteUrl } };
    }),
    ...(['POST', 'PUT'] as const).map((method) =>
      onGroup([method, 'revokeInviteCode'], GroupBody, async (call) => {
        const query = { reset: 'true' };
        const { code } = await call.invoke(operations.getGroupInvite, { params: call.group, query });
        return { status: 201, body: { revoked: true, inviteCode: code } };
      }),
    ),
    onInstance(
      context,
      ['GET', '/group/acceptInviteCode'],
      async (call) => {
        const body = { link: call.query.inviteCode };
        const joined = await call.invoke(operations.joinGroup, { params: paramsOf(call), body });
        if (!('status' in joined)) return { body: { accepted: true, groupJid: joined.jid } };
        const { jid: groupJid, status } = joined;
        return { status: 202, body: { accepted: false, groupJid, status } };
      },
      { ...onGroups, input: { query: InviteCodeQuery } },
    ),
  ];
}

function paramsOf({ instance }: Pick<InstanceCall, 'instance'>): { id: string } {
  return { id: sessionOf(instance) };
}

const SETTINGS = {
  announcement: { announce: true },
  not_announcement: { announce: false },
  locked: { locked: true },
  unlocked: { locked: false },
} as const;

const TIMERS: Readonly<Record<number, string>> = { 0: 'off', 86400: '24h', 604800: '7d', 7776000: '90d' };

function shownGroup({ participants, ...group }: Group) {
  return { ...shownHead({ ...group, size: participants.length }), participants: shownMembers(participants) };
}

function shownEntry({ participants, ...group }: GroupEntry) {
  return { ...shownHead(group), ...(participants && { participants: shownMembers(participants) }) };
}

function shownHead(group: Omit<GroupEntry, 'participants'>) {
  return {
    id: group.jid,
    subject: group.name,
    subjectOwner: group.owner_jid,
    subjectTime: group.created_at_unix,
    pictureUrl: null as string | null,
    size: group.size,
    creation: group.created_at_unix,
    owner: group.owner_jid,
    desc: group.description,
    restrict: group.locked,
    announce: group.announce,
    isCommunity: false,
    isCommunityAnnounce: false,
  };
}

function shownMembers(members: readonly GroupParticipant[]) {
  return members.map(({ jid, phone_jid, is_admin, is_super_admin }) => ({
    id: jid,
    ...(phone_jid && { phoneNumber: phone_jid }),
    admin: is_super_admin ? 'superadmin' : is_admin ? 'admin' : null,
  }));
}
