/**
 * The part of the contract that is plain data. For what must start quickly and has nothing to check, such as a database thread or a command: the
 * library behind the schemas takes longer to load than everything else that it needs.
 */
export * from './errors.ts';
export * from './events/kinds.ts';
export * from './limits.ts';
export * from './plans.ts';
export * from './presence.ts';
export * from './roles.ts';
export { onOneLine } from './text.ts';
export * from './tools/coalesce.ts';
export * from './tools/decode.ts';
export * from './tools/keyed-queue.ts';
