import { createHash } from 'node:crypto';
import type { PublicEvent } from '@parley/contract';
import { EVENTS, type EventKind, extensionOfKind } from '@parley/contract/plain';
import type { PreparedEvent } from './write-commands.ts';

export const LOG_KEPT_MS = 3 * 24 * 60 * 60 * 1_000;

/** What may stand in a header. Ids of messages are chosen by their senders and can hold anything. */
const PLAIN_ID = /^[A-Za-z0-9._:@/-]{1,128}$/;

/** Receivers deduplicate on this id: the message's own where there is one, else one made of the key. */
export function publicId(key: string, event: PublicEvent): string {
  if (event.kind === 'message' && PLAIN_ID.test(event.message_id)) return event.message_id;
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
