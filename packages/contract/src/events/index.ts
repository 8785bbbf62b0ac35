export type { ConnectionChange } from './connection.ts';
export * from './kinds.ts';
export type { InboundMedia, InboundType } from './message.ts';
export * from './redaction.ts';
export * from './schemas.ts';
