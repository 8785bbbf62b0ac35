import { createHash } from 'node:crypto';
import type { PublicEvent } from '@parley/contract';
import {
  EVENTS,
  type EventCategory,
  type EventKind,
  type Extension,
  extensionOfKind,
} from '@parley/contract/plain';
import { DAY_MS } from '#kernel';

/** A public event ready to be written: plain data that crosses to the database thread. Made by `prepare` of the log. */
export interface PreparedEvent {
  readonly accountId: string;
  readonly slotId: string;
  /** Names the happening among all of this number: a second event with the same key is not written. */
  readonly key: string;
  /** `X-Message-ID` */
  readonly id: string;
  readonly kind: EventKind;
  readonly category: EventCategory;
  /** Only for those who ask for this; null: for everybody. */
  readonly extension: Extension | null;
  /** What its deliveries have to keep their order with; empty: the number as a whole. */
  readonly chat: string;
  readonly at: number;
  readonly expiresAt: number;
  /** Bytes of the full payload. */
  readonly size: number;
  /** JSON of the payload with its content redacted. */
  readonly body: string;
  /** The full payload; null when nothing had to be redacted. */
  readonly sealed: Uint8Array | null;
}

export const LOG_KEPT_MS = 3 * DAY_MS;

/** What may stand in a header. Ids of messages are chosen by their senders and can hold anything. */
const PLAIN_ID = /^[A-Za-z0-9._:@/-]{1,128}$/;

/** Whether an id of a message, which its sender chooses, is short and plain enough to stand elsewhere. */
export function isPlainId(id: string): boolean {
  return PLAIN_ID.test(id);
}

/** Receivers deduplicate on this id: the message's own where there is one, else one made of the key. */
export function publicId(key: string, event: PublicEvent): string {
  if (event.kind === 'message' && isPlainId(event.message_id)) return event.message_id;
  const digest = createHash('sha256').update(key).digest('base64url').slice(0, 22);
  return `${event.kind}_${digest}`;
}

/** Kinds that concern the number as a whole and have nothing in them that would have to be redacted. */
type PlainKind = {
  [K in EventKind]: (typeof EVENTS)[K]['chat'] extends null ? K : never;
}[EventKind];

/**
 * The same as the log's `prepare` for an event without content, whose words are only known inside of the transaction that it belongs to.
 */
export function plainEvent({
  accountId,
  slotId,
  key,
  at,
  event,
}: {
  accountId: string;
  slotId: string;
  key: string;
  at: number;
  event: Extract<PublicEvent, { kind: PlainKind }>;
}): PreparedEvent {
  const body = JSON.stringify(event);
  return {
    accountId,
    slotId,
    key,
    id: publicId(key, event),
    kind: event.kind,
    category: EVENTS[event.kind].category,
    extension: extensionOfKind(event.kind) ?? null,
    chat: '',
    at,
    expiresAt: at + LOG_KEPT_MS,
    size: Buffer.byteLength(body),
    body,
    sealed: null,
  };
}
