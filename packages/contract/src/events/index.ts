export type { ConnectionChange } from './connection.ts';
export * from './kinds.ts';
export type { InboundMedia, InboundType } from './message.ts';
export * from './redaction.ts';
export { EVENT_SCHEMAS, type EventOf, PublicEvent } from './schemas.ts';
