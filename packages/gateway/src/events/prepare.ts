import { createHash } from 'node:crypto';
import { EVENTS, type PublicEvent, UNRECORDED_KINDS } from '@parley/contract';
import type { Clock, SealedBox } from '#kernel';
import { chatOf, redact } from '#webhooks';
import { sealContext } from './payload.ts';
import type { PreparedEvent } from './write-commands.ts';

/** A public event and whose it is. */
export interface NewEvent {
  readonly accountId: string;
  readonly slotId: string;
  /**
   * Names the happening among all of this number, the same however often it is told. Written once: a second event with the same key
   * is dropped.
   */
  readonly key: string;
  readonly event: PublicEvent;
  /** The chat that it belongs to, when the event itself does not say. */
  readonly chat?: string | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
export const LOG_KEPT_MS = 3 * DAY_MS;
/** Long enough for a stream that reconnects. */
const FLEETING_KEPT_MS = 5 * 60 * 1_000;

/** Seals, redacts and measures an event on the main thread, so that the database thread only has to write it. */
export function prepareEvent(
  { sealedBox, clock }: { sealedBox: Pick<SealedBox, 'seal'>; clock: Pick<Clock, 'now'> },
  { accountId, slotId, key, event, chat = chatOf(event) }: NewEvent,
): PreparedEvent {
  const redacted = redact(event);
  const body = JSON.stringify(redacted);
  const full = redacted === event ? undefined : Buffer.from(JSON.stringify(event));
  const at = clock.now();
  return {
    accountId,
    slotId,
    key,
    id: publicId(key, event),
    kind: event.kind,
    category: EVENTS[event.kind].category,
    chat,
    at,
    expiresAt: at + (UNRECORDED_KINDS.has(event.kind) ? FLEETING_KEPT_MS : LOG_KEPT_MS),
    size: full?.length ?? Buffer.byteLength(body),
    body,
    sealed: full ? sealedBox.seal(full, sealContext(slotId, key)) : null,
  };
}

/** What may stand in a header. Ids of messages are chosen by their senders and can hold anything. */
const PLAIN_ID = /^[A-Za-z0-9._:@/-]{1,128}$/;

/** Receivers deduplicate on this id: the message's own where there is one, else one made of the key. */
function publicId(key: string, event: PublicEvent): string {
  if (event.kind === 'message' && PLAIN_ID.test(event.message_id)) return event.message_id;
  const digest = createHash('sha256').update(key).digest('base64url').slice(0, 22);
  return `${event.kind}_${digest}`;
}
