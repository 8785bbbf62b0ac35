/**
 * The part of the contract that is plain data, for modules that must start quickly and validate nothing, such as a database
 * thread or a command: the schema library takes longer to load than everything else that they need.
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
