import Type from 'typebox';
import { AnyJid } from '../primitives.ts';
import { named } from '../schema.ts';

export const ChatRead = named('ChatRead', { jid: AnyJid, read: Type.Boolean() });
export const ChatArchived = named('ChatArchived', { jid: AnyJid, archived: Type.Boolean() });
export const ChatPinned = named('ChatPinned', { jid: AnyJid, pinned: Type.Boolean() });
export const ChatMuted = named('ChatMuted', {
  jid: AnyJid,
  muted: Type.Boolean(),
  until_unix: Type.Optional(Type.Integer({ description: 'Absent when it is for ever, or not muted.' })),
});
export const MessageStarred = named('MessageStarred', {
  message_id: Type.String({ examples: ['3EB0C767D71C5A4F1D2B'] }),
  starred: Type.Boolean(),
});
