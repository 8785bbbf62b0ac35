import Type from 'typebox';

/** Fields that several events carry. */
export const SessionJid = Type.String({
  description: 'Session JID.',
  examples: ['15550001001:1@s.whatsapp.net'],
});
export const RequestId = Type.String({
  description: 'The Idempotency-Key of the send.',
  examples: ['order-1042'],
});
export const NetworkMessageId = Type.String({ examples: ['3EB0C767D71C5A4F1D2B'] });
export const ChatAddress = Type.String({
  description: 'Chat JID.',
  examples: ['15550002001@s.whatsapp.net'],
});
export const PersonAddress = Type.String({
  description: 'JID of a person; may be `@lid` in groups.',
  examples: ['15550002001@s.whatsapp.net'],
});
