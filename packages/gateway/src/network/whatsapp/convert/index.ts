export { boundedId, boundedName, boundedSeconds } from './bounds.ts';
export {
  messageEventId,
  readChannelMessages,
  readHiddenMessage,
  readReceipts,
  toMessageEvent,
} from './events.ts';
export { type MessageHead, readHead, type StanzaAttrs } from './head.ts';
export { isForTheLibrary, pollIn } from './inbound.ts';
export * from './jid.ts';
