import { ABOUT_MAX_LENGTH, MESSAGES_PAGE_MAX, PROFILE_NAME_MAX_LENGTH } from '@parley/contract';
import Type from 'typebox';
import { HOUR_MS } from '#kernel';
import {
  Address,
  Addresses,
  Id,
  Lines,
  OptionalAddress,
  OptionalFlag,
  OptionalId,
  Text,
  Url,
} from '../fields.ts';

/** Numbers of one look-up. The network is queried in batches, one after the other. */
export const NUMBERS_MAX = 500;
/** Number of messages of a chat, newest first, that can be paged through. */
export const MESSAGES_REACH = 10_000;
/** Contacts of one page; clients of this interface expect all of them on the first. */
export const CONTACTS_MAX = 5_000;
/** Messages marked as read per request. */
const MARKED_MAX = 100;

export const NumbersBody = Type.Object({ numbers: Addresses(NUMBERS_MAX) });
export const PresenceBody = Type.Object({
  number: Address,
  presence: Type.Enum(['composing', 'recording', 'paused'], { type: 'string' }),
  delay: Type.Optional(Type.Number({ minimum: 0, maximum: HOUR_MS })),
});
export const ReadBody = Type.Object({
  readMessages: Type.Array(
    Type.Object({
      remoteJid: Address,
      id: OptionalId,
      fromMe: OptionalFlag,
      participant: OptionalAddress,
    }),
    { minItems: 1, maxItems: MARKED_MAX },
  ),
});
/** Clients name a chat directly, or by its last message. */
export const ChatBody = Type.Object({
  chat: OptionalAddress,
  lastMessage: Type.Optional(
    Type.Object({ key: Type.Optional(Type.Object({ remoteJid: OptionalAddress })) }),
  ),
  archive: OptionalFlag,
});
export const NumberBody = Type.Object({ number: Address });
export const OptionalNumberBody = Type.Object({ number: OptionalAddress });
export const BlockBody = Type.Object({
  number: Address,
  status: Type.Enum(['block', 'unblock'], { type: 'string' }),
});
export const ProfileStatusBody = Type.Object({ status: Lines(ABOUT_MAX_LENGTH) });
export const ProfileNameBody = Type.Object({ name: Text(PROFILE_NAME_MAX_LENGTH) });
export const ProfilePictureBody = Type.Object({ picture: Url });

/** Filter of a query. */
export const FindMessagesBody = Type.Object({
  where: Type.Optional(
    Type.Object({
      key: Type.Optional(Type.Object({ id: OptionalId, remoteJid: OptionalAddress, fromMe: OptionalFlag })),
    }),
  ),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: MESSAGES_REACH })),
  /** Page size, under the name of this interface. */
  offset: Type.Optional(Type.Integer({ minimum: 1, maximum: MESSAGES_PAGE_MAX })),
});
export const FindStatusBody = Type.Object({
  where: Type.Object({ keyId: OptionalId, id: OptionalId }),
});
export const FindChatsBody = Type.Object({
  where: Type.Optional(Type.Object({ remoteJid: OptionalAddress })),
});
export const FindContactsBody = Type.Object({
  where: Type.Optional(Type.Object({ remoteJid: OptionalAddress, id: OptionalAddress })),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: CONTACTS_MAX })),
  offset: Type.Optional(Type.Integer({ minimum: 1, maximum: CONTACTS_MAX })),
});
export const FileBody = Type.Object({
  message: Type.Object({ key: Type.Object({ id: Id }) }),
  convertToMp4: OptionalFlag,
});
