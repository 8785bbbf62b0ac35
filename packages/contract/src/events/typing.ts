import Type from 'typebox';
import { oneOf } from '../schema.ts';
import { ChatAddress, PersonAddress, SessionJid } from './fields.ts';
import { eventKind } from './kind.ts';

export const typingEvent = eventKind({
  kind: 'typing',
  category: 'events',
  chat: 'chat_jid',
  unrecorded: true,
  label: 'Typing',
  title: 'TypingEvent',
  description: 'A person started or stopped typing.',
  properties: {
    session_id: SessionJid,
    sender_jid: PersonAddress,
    chat_jid: ChatAddress,
    is_group: Type.Boolean(),
    typing: Type.Boolean({ description: 'True = started.' }),
    media: oneOf(['text', 'audio'], { description: '`audio` while recording a voice message.' }),
  },
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    sender_jid: '15550002001@s.whatsapp.net',
    chat_jid: '15550002001@s.whatsapp.net',
    is_group: false,
    typing: true,
    media: 'text',
  },
});
