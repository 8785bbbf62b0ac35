export { boundedId, boundedName, boundedSeconds } from './bounds.ts';
export {
  messageEventId,
  readChannelMessages,
  readHiddenMessage,
  readReceipts,
  toMessageEvent,
} from './events.ts';
export { type MessageHead, readHead, type StanzaAttrs } from './head.ts';
export { isForTheLibrary, pollOptions } from './inbound.ts';
export * from './jid.ts';
