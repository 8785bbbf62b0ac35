import Type from 'typebox';
import { content, kept, named, oneOf } from '../schema.ts';
import { EventTime, PersonAddress, SessionJid } from './fields.ts';
import { eventKind } from './kind.ts';

const GROUP_EVENTS = [
  'joined',
  'left',
  'added',
  'removed',
  'promoted',
  'demoted',
  'join_requested',
  'join_request_withdrawn',
  'subject',
  'description',
  'settings',
] as const;

const PhoneAddress = Type.Optional(
  Type.String({ ...kept, description: 'Phone JID, when known.', examples: ['15550002001@s.whatsapp.net'] }),
);

const GroupEventPerson = named('GroupEventPerson', { jid: PersonAddress, phone_jid: PhoneAddress });

export const groupEvent = eventKind({
  kind: 'group',
  category: 'events',
  chat: 'chat_jid',
  extension: 'groups',
  guide:
    'members who joined, left, were added, removed, promoted, demoted or ask to join; a new name, description or setting',
  label: 'Group',
  title: 'GroupEvent',
  description: 'Something about a group of the number has changed. Needs `groups` in `extensions`.',
  properties: {
    session_id: SessionJid,
    chat_jid: Type.String({ ...kept, description: 'Group JID.', examples: ['120363041234567890@g.us'] }),
    event: oneOf(GROUP_EVENTS, {
      description:
        '`joined`: came in by an invite, or the number itself is in a group that it was not in (`subject` says which). `join_requested`: asks an admin to be let in; `join_request_withdrawn`: asks no more, or was turned down.',
    }),
    by_jid: Type.Optional(
      Type.String({
        ...kept,
        description: 'Who did it; absent when it was the network.',
        examples: ['77@lid'],
      }),
    ),
    by_phone: PhoneAddress,
    participants: Type.Optional(Type.Array(GroupEventPerson, { description: 'Whom it is about.' })),
    subject: Type.Optional(Type.String({ ...content, description: 'The name of the group.' })),
    description: Type.Optional(Type.String({ ...content, description: 'Empty when it was removed.' })),
    announce: Type.Optional(Type.Boolean({ description: 'Of `settings`: only admins may send.' })),
    locked: Type.Optional(Type.Boolean({ description: 'Of `settings`: only admins may change group info.' })),
    join_approval: Type.Optional(
      Type.Boolean({ description: 'Of `settings`: an admin must approve people who join by invite.' }),
    ),
    members_add: Type.Optional(Type.Boolean({ description: 'Of `settings`: every member may add others.' })),
    ephemeral_seconds: Type.Optional(
      Type.Integer({ ...kept, description: 'Of `settings`: the timer of new messages; 0 = none.' }),
    ),
    timestamp_unix: EventTime,
  },
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    chat_jid: '120363041234567890@g.us',
    event: 'added',
    by_jid: '245100123456789@lid',
    by_phone: '15550002001@s.whatsapp.net',
    participants: [{ jid: '245100987654321@lid', phone_jid: '15550002002@s.whatsapp.net' }],
    timestamp_unix: 1_784_365_200,
  },
});
