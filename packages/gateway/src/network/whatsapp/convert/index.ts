export { boundedId, boundedName, boundedSeconds, isPlausibleUsername } from './bounds.ts';
export { chatChangeOf, readOwnReading } from './chat-changes.ts';
export {
  messageEventId,
  type NameOf,
  placeholderIn,
  readChannelMessages,
  readReceipts,
  toEvent,
  toMessageEvent,
  unavailableMessage,
} from './events.ts';
export { attrsOfWebMessage, decodeWebMessage, type MessageHead, readHead, type StanzaAttrs } from './head.ts';
export { isForTheLibrary, pollContent } from './inbound.ts';
export * from './jid.ts';
export { readNotification } from './notifications.ts';
export {
  isOnlyByAuthor,
  openUpdate,
  readUpdateContent,
  type SealedUpdate,
  sealedUpdateIn,
} from './sealed.ts';
