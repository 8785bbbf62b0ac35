import Type from 'typebox';
import { AnyJid, UnixSeconds } from '../primitives.ts';
import { named, oneOf } from '../schema.ts';

const groupJid = Type.String({ description: 'Group JID.', examples: ['120363041234567890@g.us'] });

export const GroupParticipant = named('GroupParticipant', {
  jid: AnyJid,
  phone_jid: Type.Optional(
    Type.String({ description: 'Phone JID of a member addressed by lid, when the session may know it.' }),
  ),
  is_admin: Type.Boolean(),
  is_super_admin: Type.Boolean({ description: 'True for the creator of the group.' }),
});
export type GroupParticipant = Type.Static<typeof GroupParticipant>;

export const Group = named('Group', {
  jid: groupJid,
  name: Type.String({ examples: ['Launch team'] }),
  description: Type.String({
    description: 'Empty when there is none.',
    examples: ['Everything about the launch'],
  }),
  owner_jid: Type.String({
    description: 'Empty when the network does not disclose it.',
    examples: ['15550001001@s.whatsapp.net'],
  }),
  created_at_unix: UnixSeconds,
  announce: Type.Boolean({ description: 'Only admins may send messages.' }),
  locked: Type.Boolean({ description: 'Only admins may change name, photo and description.' }),
  participants: Type.Array(GroupParticipant),
});
export type Group = Type.Static<typeof Group>;

export const GROUP_DETAILS = ['head', 'members'] as const;

const { jid, name, participants, ...head } = Group.properties;
export const GroupEntry = named('GroupEntry', {
  ...{ jid, name },
  ...Type.Partial(Type.Object(head)).properties,
  size: Type.Optional(Type.Integer({ minimum: 0, description: 'How many members it has.' })),
  participants: Type.Optional(participants),
});
export type GroupEntry = Type.Static<typeof GroupEntry>;

export const GroupList = named('GroupList', { groups: Type.Array(GroupEntry) });

export const PARTICIPANT_ACTIONS = ['add', 'remove', 'promote', 'demote'] as const;
export type ParticipantAction = (typeof PARTICIPANT_ACTIONS)[number];

export const ParticipantsChanged = named('ParticipantsChanged', {
  jid: groupJid,
  action: oneOf(PARTICIPANT_ACTIONS, { examples: ['promote'] }),
  results: Type.Array(
    named('ParticipantResult', {
      jid: AnyJid,
      ok: Type.Boolean({ examples: [true] }),
      error: Type.Optional(Type.String({ description: 'Why this one was refused.' })),
    }),
  ),
});
export type ParticipantsChanged = Type.Static<typeof ParticipantsChanged>;

export const GroupRenamed = named('GroupRenamed', {
  jid: groupJid,
  name: Type.String({ examples: ['Launch team'] }),
});
export const GroupDescribed = named('GroupDescribed', {
  jid: groupJid,
  description: Type.String({ examples: ['Everything about the launch'] }),
});
export const GroupPhoto = named('GroupPhoto', {
  picture_id: Type.String({ description: 'Empty when the photo was removed.', examples: ['1784365200'] }),
});
/** Settings beyond those that every answer has. */
export const groupRules = {
  join_approval: Type.Boolean({ description: 'True: an admin lets in those who follow the invite link.' }),
  members_add: Type.Boolean({ description: 'True: every member may add others, not only admins.' }),
  ephemeral_seconds: Type.Enum([0, 86_400, 604_800, 7_776_000], {
    type: 'integer',
    description: 'Messages disappear after this time: a day, a week or 90 days; 0: they stay.',
  }),
};
export const GroupSettings = named('GroupSettings', {
  jid: groupJid,
  announce: Type.Boolean({ examples: [true] }),
  locked: Type.Boolean(),
  ...Type.Partial(Type.Object(groupRules)).properties,
  ephemeral_seconds: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Messages disappear after this time; 0: they stay.' }),
  ),
});
export const GroupLeft = named('GroupLeft', { jid: groupJid, left: Type.Literal(true) });
export const GroupJoined = named('GroupJoined', { jid: groupJid });
export const GroupJoinPending = named(
  'GroupJoinPending',
  { jid: groupJid, status: Type.Literal('pending_approval') },
  { description: 'An admin of the group has to approve the request; the number is not in it yet.' },
);
export const JOIN_REQUEST_ACTIONS = ['approve', 'reject'] as const;

export const GroupRequests = named('GroupRequests', {
  requests: Type.Array(
    named('GroupRequest', {
      jid: AnyJid,
      phone_jid: Type.Optional(
        Type.String({ description: 'Phone JID of a person addressed by lid, when the session may know it.' }),
      ),
      requested_at_unix: UnixSeconds,
      method: Type.String({
        description:
          'How the person asked, in the word of the network: `invite_link`, `non_admin_add` (a member added them), `linked_group_join` (from the community).',
        examples: ['invite_link'],
      }),
    }),
  ),
});
export type GroupRequests = Type.Static<typeof GroupRequests>;

export const GroupRequestsAnswered = named('GroupRequestsAnswered', {
  jid: groupJid,
  action: oneOf(JOIN_REQUEST_ACTIONS, { examples: ['approve'] }),
  results: ParticipantsChanged.properties.results,
});
export const GroupInvite = named('GroupInvite', {
  invite_link: Type.String({ examples: ['https://chat.whatsapp.com/Hq2kJd83nPlA0zXy'] }),
  code: Type.String({ examples: ['Hq2kJd83nPlA0zXy'] }),
});
export type GroupInvite = Type.Static<typeof GroupInvite>;
