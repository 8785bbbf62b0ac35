export { type DueRow, dueDeliveries, PAYLOAD } from './due.ts';
export type { WindowRange } from './event-reader.ts';
