import Type from 'typebox';
import { named, oneOf } from '../schema.ts';
import { ChatAddress, PersonAddress, SessionJid } from './fields.ts';

export const TypingEvent = named(
  'TypingEvent',
  {
    kind: Type.Literal('typing'),
    session_id: SessionJid,
    sender_jid: PersonAddress,
    chat_jid: ChatAddress,
    is_group: Type.Boolean(),
    typing: Type.Boolean({ description: 'True = started.' }),
    media: oneOf(['text', 'audio'], { description: '`audio` while recording a voice message.' }),
  },
  {
    description: 'Somebody types or stopped typing.',
    examples: [
      {
        kind: 'typing',
        session_id: '15550001001:1@s.whatsapp.net',
        sender_jid: '15550002001@s.whatsapp.net',
        chat_jid: '15550002001@s.whatsapp.net',
        is_group: false,
        typing: true,
        media: 'text',
      },
    ],
  },
);
