import { type DeliveryAttempt, EVENT_KINDS } from '@parley/contract';
import { eventTexts } from '../../texts/events.ts';

/** The kind of an event in words; one that this portal does not know yet as it comes. */
export function nameOfKind(kind: string): string {
  const known = EVENT_KINDS.find((each) => each === kind);
  return known ? eventTexts[known].name : kind;
}

/** What came back: a status, or why there was none. */
export function tellAttempt({ status_code, error }: Pick<DeliveryAttempt, 'status_code' | 'error'>): string {
  return status_code === undefined ? (error ?? '–') : String(status_code);
}
