import type { EventKind } from '@parley/contract';

/**
 * Renders events in the format of another API. An event is kept, ordered and tried again like every other: only what the request looks like
 * is decided here, anew for each attempt.
 */
export interface WebhookFormat {
  /** What a receiver is asked, one after the other, all of it again after a failure; empty: the endpoint does not want this event. */
  render(delivered: DeliveredEvent): Promise<readonly RenderedRequest[]>;
}

/** An event on its way to an endpoint. */
interface DeliveredEvent {
  readonly eventId: string;
  readonly kind: EventKind;
  /** JSON of the public event, or the payload given to `notifyFormatted`. */
  readonly payload: string;
  /** Where its endpoint wants events of this kind. */
  readonly url: string;
  /** What its endpoint was given for this format. */
  readonly options: string;
  readonly accountId: string;
  readonly slotId: string;
  readonly phone: string;
  /** Of this attempt, epoch milliseconds; follows the sandbox's time. */
  readonly now: number;
  /** The same by the machine's own clock, with which receivers compare what a signature says. */
  readonly signedAt: number;
}

export interface RenderedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** By the name that endpoints have them under. */
export type WebhookFormats = ReadonlyMap<string, WebhookFormat>;
