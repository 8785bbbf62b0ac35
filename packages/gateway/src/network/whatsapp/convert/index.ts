export { boundedId, boundedName, boundedSeconds, isPlausibleUsername } from './bounds.ts';
export { chatChangeOf, readOwnReading } from './chat-changes.ts';
export { readContactChanges } from './contact-changes.ts';
export {
  messageEventId,
  type NameOf,
  readChannelMessages,
  readHiddenMessage,
  readReceipts,
  toMessageEvent,
} from './events.ts';
export { readGroupChanges } from './group-changes.ts';
export { type MessageHead, readHead, type StanzaAttrs } from './head.ts';
export { isForTheLibrary, pollOptions } from './inbound.ts';
export * from './jid.ts';
export { attrsOfWebMessage, decodeWebMessage } from './web-message.ts';
