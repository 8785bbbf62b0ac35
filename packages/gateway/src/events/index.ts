export { type PreparedEvent, writeEvents } from './commands.ts';
export { createEventLog, type EventLog, eventsTopic } from './log.ts';
export type { NewEvent } from './prepare.ts';
