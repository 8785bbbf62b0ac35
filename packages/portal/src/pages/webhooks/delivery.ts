import { type DeliveryAttempt, EVENT_KINDS, type PortalDelivery } from '@parley/contract';
import { eventTexts } from '../../texts/events.ts';

const textsOf = (kind: string) => {
  const known = EVENT_KINDS.find((each) => each === kind);
  return known && eventTexts[known];
};

/** The kind of an event in words; one that this portal does not know yet as it comes. */
export function nameOfKind(kind: string): string {
  return textsOf(kind)?.name ?? kind;
}

/** What happened, in a line. */
export function tellEvent({ kind, event }: Pick<PortalDelivery, 'kind' | 'event'>): string {
  return textsOf(kind)?.tell(event) ?? kind;
}

/** What came back: a status, or why there was none. */
export function tellAttempt({ status_code, error }: Pick<DeliveryAttempt, 'status_code' | 'error'>): string {
  return status_code === undefined ? (error ?? '–') : String(status_code);
}
