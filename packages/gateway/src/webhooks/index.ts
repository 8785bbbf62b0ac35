export type { LoggedEvent } from './queue.ts';

/** Says that there is something new to deliver. */
export const DELIVERIES_TOPIC = 'deliveries';
