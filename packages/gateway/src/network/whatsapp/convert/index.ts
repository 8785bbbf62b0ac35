export { boundedId, boundedName, boundedSeconds } from './bounds.ts';
export { messageEventId, readChannelMessages, readReceipts, toMessageEvent } from './events.ts';
export { type MessageHead, readHead, type StanzaAttrs } from './head.ts';
export { pollIn } from './inbound.ts';
export * from './jid.ts';
export { type MediaPointer, readMediaRef } from './media-ref.ts';
export { isForTheLibrary } from './protocol.ts';
