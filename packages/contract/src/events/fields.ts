import Type from 'typebox';
import { UnixSeconds } from '../primitives.ts';
import { kept } from '../schema.ts';

/** Fields shared by several events. */
export const SessionJid = Type.String({
  ...kept,
  description: 'Session JID.',
  examples: ['15550001001:1@s.whatsapp.net'],
});
export const RequestId = Type.String({
  ...kept,
  description: 'The Idempotency-Key of the send.',
  examples: ['order-1042'],
});
export const NetworkMessageId = Type.String({ ...kept, examples: ['3EB0C767D71C5A4F1D2B'] });
export const ChatAddress = Type.String({
  ...kept,
  description:
    'Chat JID. A person has one for good: by the number, or `@lid` where the number was hidden when the chat began.',
  examples: ['15550002001@s.whatsapp.net'],
});
export const PersonAddress = Type.String({
  ...kept,
  description: 'JID of a person; `@lid` in groups, and where the number is hidden.',
  examples: ['15550002001@s.whatsapp.net'],
});
export const EventTime = Type.Integer({ ...UnixSeconds, ...kept });
