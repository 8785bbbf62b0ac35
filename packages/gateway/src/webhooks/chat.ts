import { EVENTS, type PublicEvent } from '@parley/contract';

/** What an event of a number has to keep its order with: its chat, or the number as a whole, which is empty. */
export function chatOf(event: PublicEvent): string {
  const field = EVENTS[event.kind].chat as keyof PublicEvent | null;
  return field === null ? '' : event[field];
}
