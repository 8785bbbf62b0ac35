import Type from 'typebox';
import { GroupInviteText } from '../invites.ts';
import { GROUP_DESCRIPTION_MAX_LENGTH, GROUP_NAME_MAX_LENGTH, GROUP_PARTICIPANTS_MAX } from '../limits.ts';
import { otherSources, type PictureSource, sourceComplaint } from '../messages/content.ts';
import { HttpUrlOrEmpty, PersonJid } from '../primitives.ts';
import {
  GROUP_DETAILS,
  Group,
  GroupDescribed,
  GroupInvite,
  GroupJoined,
  GroupJoinPending,
  GroupLeft,
  GroupList,
  GroupPhoto,
  GroupRenamed,
  GroupRequests,
  GroupRequestsAnswered,
  GroupSettings,
  groupRules,
  JOIN_REQUEST_ACTIONS,
  PARTICIPANT_ACTIONS,
  ParticipantsChanged,
} from '../resources/index.ts';
import { closed, line, oneOf, severalLines } from '../schema.ts';
import { pictureErrors } from './file-errors.ts';
import { EXAMPLE_PICTURE } from './offers.ts';
import { operation } from './operation.ts';
import { groupPath, sessionPath } from './paths.ts';

const groupName = line(GROUP_NAME_MAX_LENGTH, { examples: ['Launch team'] });

/** Shared by all group operations. */
const onGroups = {
  tag: 'Groups',
  surface: 'v1',
  sdk: 'groups',
  permission: 'groups',
  limits: ['network_action'],
  subject: 'session',
  sessionMustBe: 'online',
  feature: 'groups',
} as const;
const memberErrors = ['group_not_found', 'group_membership_required'] as const;
const adminErrors = [...memberErrors, 'group_admin_required'] as const;

export const groupOperations = {
  listGroups: operation({
    ...onGroups,
    id: 'listGroups',
    method: 'GET',
    path: '/v1/sessions/{id}/groups',
    summary: 'List groups',
    params: sessionPath,
    query: closed({
      details: Type.Optional(
        oneOf(GROUP_DETAILS, {
          description:
            'Fields of each group beside its name: `head` adds description, owner, settings and size, `members` also its members.',
        }),
      ),
    }),
    listBound:
      'The groups of one number, as the specification answers them: the network bounds how many it may be in.',
    answers: { 200: GroupList },
    errors: [],
    mcp: { tool: true },
    run: {},
  }),
  createGroup: operation({
    ...onGroups,
    id: 'createGroup',
    method: 'POST',
    path: '/v1/sessions/{id}/groups',
    summary: 'Create a group',
    params: sessionPath,
    body: closed(
      { name: groupName, participants: Type.Array(PersonJid, { maxItems: GROUP_PARTICIPANTS_MAX }) },
      { examples: [{ name: 'Launch team', participants: ['15550002001@s.whatsapp.net'] }] },
    ),
    answers: { 200: Group },
    errors: [],
    mcp: { tool: true },
    run: { keeps: { group_id: 'jid' } },
  }),
  getGroup: operation({
    ...onGroups,
    id: 'getGroup',
    method: 'GET',
    path: '/v1/sessions/{id}/groups/{group_id}',
    summary: 'Get a group',
    params: groupPath,
    listBound: 'The members of one group, whom the network bounds.',
    answers: { 200: Group },
    errors: memberErrors,
    mcp: { tool: true, foreignText: true },
    run: {},
  }),
  changeParticipants: operation({
    ...onGroups,
    id: 'changeParticipants',
    method: 'POST',
    path: '/v1/sessions/{id}/groups/{group_id}/participants',
    summary: 'Add, remove, promote or demote members',
    description: 'Answers for each member apart: some may succeed while others are refused.',
    params: groupPath,
    body: closed(
      {
        participants: Type.Array(PersonJid, { minItems: 1, maxItems: GROUP_PARTICIPANTS_MAX }),
        action: oneOf(PARTICIPANT_ACTIONS),
      },
      { examples: [{ participants: ['15550002001@s.whatsapp.net'], action: 'promote' }] },
    ),
    answers: { 200: ParticipantsChanged },
    errors: adminErrors,
    mcp: { tool: true, destructive: true },
    run: {},
  }),
  renameGroup: operation({
    ...onGroups,
    id: 'renameGroup',
    method: 'POST',
    path: '/v1/sessions/{id}/groups/{group_id}/name',
    summary: 'Rename a group',
    params: groupPath,
    body: closed({ name: groupName }),
    answers: { 200: GroupRenamed },
    errors: adminErrors,
    mcp: { tool: true },
    run: {},
  }),
  describeGroup: operation({
    ...onGroups,
    id: 'describeGroup',
    method: 'POST',
    path: '/v1/sessions/{id}/groups/{group_id}/description',
    summary: "Change a group's description",
    params: groupPath,
    body: closed({
      description: Type.String({
        maxLength: GROUP_DESCRIPTION_MAX_LENGTH,
        ...severalLines,
        description: 'Empty removes the description.',
        examples: ['Everything about the launch'],
      }),
    }),
    answers: { 200: GroupDescribed },
    errors: adminErrors,
    mcp: { tool: true },
    run: {},
  }),
  setGroupPhoto: operation({
    ...onGroups,
    id: 'setGroupPhoto',
    method: 'POST',
    path: '/v1/sessions/{id}/groups/{group_id}/photo',
    summary: "Set or remove a group's photo",
    description:
      'The picture is given by exactly one of `image_url`, `media_id` and `media_base64`; an empty `image_url` removes it.',
    params: groupPath,
    body: closed(
      { image_url: Type.Optional(HttpUrlOrEmpty), ...otherSources },
      { examples: [{ image_url: 'https://files.example.com/team.jpg' }] },
    ),
    bodyRule: (body: PictureSource) => sourceComplaint('image_url', body.image_url, body),
    answers: { 200: GroupPhoto },
    errors: [...adminErrors, ...pictureErrors],
    mcp: { tool: true },
    run: { body: EXAMPLE_PICTURE },
  }),
  getGroupInvite: operation({
    ...onGroups,
    id: 'getGroupInvite',
    method: 'GET',
    path: '/v1/sessions/{id}/groups/{group_id}/invite-link',
    summary: "Get or reset a group's invite link",
    params: groupPath,
    query: closed({
      reset: Type.Optional(Type.Boolean({ description: 'True revokes the old link and makes a new one.' })),
    }),
    answers: { 200: GroupInvite },
    errors: adminErrors,
    mcp: { tool: true },
    run: {},
  }),
  joinGroup: operation({
    ...onGroups,
    id: 'joinGroup',
    method: 'POST',
    path: '/v1/sessions/{id}/groups/join',
    summary: 'Join a group by invite',
    description:
      'Answers 202 where the group wants approval: an admin has to let the number in, which a `group` event reports then. Repeating the call does not repeat the request.',
    params: sessionPath,
    body: closed({ link: GroupInviteText }),
    answers: { 200: GroupJoined, 202: GroupJoinPending },
    errors: ['invite_not_found'],
    mcp: { tool: true },
  }),
  listGroupRequests: operation({
    ...onGroups,
    id: 'listGroupRequests',
    method: 'GET',
    path: '/v1/sessions/{id}/groups/{group_id}/requests',
    summary: 'List requests to join a group',
    description:
      'People who wait for an admin of a group that wants approval. An extension event `group` with `join_requested` reports each new one.',
    params: groupPath,
    listBound: 'The open requests of one group, which the network bounds.',
    answers: { 200: GroupRequests },
    errors: adminErrors,
    mcp: { tool: true },
    run: {},
  }),
  answerGroupRequests: operation({
    ...onGroups,
    id: 'answerGroupRequests',
    method: 'POST',
    path: '/v1/sessions/{id}/groups/{group_id}/requests',
    summary: 'Approve or reject requests to join a group',
    description:
      'Answers for each person apart: one who has not asked, or no longer asks, is refused while others succeed.',
    params: groupPath,
    body: closed(
      {
        action: oneOf(JOIN_REQUEST_ACTIONS),
        participants: Type.Array(PersonJid, { minItems: 1, maxItems: GROUP_PARTICIPANTS_MAX }),
      },
      { examples: [{ action: 'approve', participants: ['15550002001@s.whatsapp.net'] }] },
    ),
    answers: { 200: GroupRequestsAnswered },
    errors: adminErrors,
    mcp: { tool: true },
    run: {},
  }),
  changeGroupSettings: operation({
    ...onGroups,
    id: 'changeGroupSettings',
    method: 'POST',
    path: '/v1/sessions/{id}/groups/{group_id}/settings',
    summary: 'Change who may write, edit, join and add, and how long messages are kept',
    params: groupPath,
    body: closed(
      {
        announce: Type.Optional(Type.Boolean({ description: 'True: only admins may send messages.' })),
        locked: Type.Optional(
          Type.Boolean({ description: 'True: only admins may change name, photo and description.' }),
        ),
        ...Type.Partial(Type.Object(groupRules)).properties,
      },
      { minProperties: 1, examples: [{ announce: true }] },
    ),
    answers: { 200: GroupSettings },
    errors: adminErrors,
    mcp: { tool: true },
    run: {},
  }),
  leaveGroup: operation({
    ...onGroups,
    id: 'leaveGroup',
    method: 'POST',
    path: '/v1/sessions/{id}/groups/{group_id}/leave',
    summary: 'Leave a group',
    params: groupPath,
    answers: { 200: GroupLeft },
    errors: memberErrors,
    mcp: { tool: true, destructive: true },
    run: { last: true },
  }),
};
