import Type from 'typebox';
import { UnixSeconds } from '../primitives.ts';
import { kept, oneOf } from '../schema.ts';
import { ChatAddress, EventTime, SessionJid } from './fields.ts';
import { eventKind } from './kind.ts';

const CHAT_EVENTS = [
  'read',
  'unread',
  'archived',
  'unarchived',
  'pinned',
  'unpinned',
  'muted',
  'unmuted',
  'cleared',
  'deleted',
] as const;

export const chatEvent = eventKind({
  kind: 'chat',
  category: 'events',
  chat: 'chat_jid',
  extension: 'chats',
  guide:
    'the owner has read a chat on the phone or another linked device, marked it as unread, archived, pinned, muted, cleared or deleted it, or taken that back',
  label: 'Chat',
  title: 'ChatEvent',
  description:
    'The owner did something with a chat, on the phone or another linked device, but not through the API. Needs `chats` in `extensions`.',
  properties: {
    session_id: SessionJid,
    chat_jid: ChatAddress,
    event: oneOf(CHAT_EVENTS, {
      description: '`cleared`: its messages were deleted for the owner. `deleted`: the chat too.',
    }),
    muted_until_unix: Type.Optional(
      Type.Integer({
        ...UnixSeconds,
        ...kept,
        description: 'Absent when it is for ever, or not muted.',
      }),
    ),
    timestamp_unix: EventTime,
  },
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    chat_jid: '15550002001@s.whatsapp.net',
    event: 'muted',
    muted_until_unix: 1_784_451_600,
    timestamp_unix: 1_784_365_200,
  },
});
