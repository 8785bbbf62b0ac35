export type * from './content.ts';
export { NetworkError, type NetworkErrorKind, type SendFailure } from './errors.ts';
export { receiptsOf } from './event-ids.ts';
export type * from './events.ts';
export type * from './operations.ts';
export type * from './past.ts';
export * from './port.ts';
export { phonesIn } from './vcard.ts';
export { journalBacklog } from './whatsapp/vault/store.ts';
