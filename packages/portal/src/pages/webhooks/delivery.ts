import { type DeliveryAttempt, EVENT_KINDS, type PortalDelivery } from '@parley/contract';
import { eventTexts } from '../../texts/events.ts';

const textsOf = (kind: string) => {
  const known = EVENT_KINDS.find((each) => each === kind);
  return known && eventTexts[known];
};

/** Name of an event kind; unknown kinds unchanged. */
export function nameOfKind(kind: string): string {
  return textsOf(kind)?.name ?? kind;
}

/** Summary of an event in one line. */
export function summarizeEvent({ kind, event }: Pick<PortalDelivery, 'kind' | 'event'>): string {
  return textsOf(kind)?.summarize(event) ?? kind;
}

/** Status of the answer, or the reason why there was none. */
export function summarizeAttempt({
  status_code,
  error,
}: Pick<DeliveryAttempt, 'status_code' | 'error'>): string {
  return status_code === undefined ? (error ?? '–') : String(status_code);
}
