import {
  EVENTS,
  type Extension,
  extensionOfKind,
  HANDLING,
  type Handling,
  type PublicEvent,
  redactedMarker,
  UNRECORDED_KINDS,
} from '@parley/contract';
import type { Clock, SealedBox } from '#kernel';
import type { Bus } from '#platform/bus';
import type { Store } from '#platform/store';
import { sealContext } from './payload.ts';
import { LOG_KEPT_MS, publicId } from './plain-event.ts';
import { logEvents, type PreparedEvent } from './write-commands.ts';

/** Entry of public events: logs them, queues their deliveries, and shows them to followers of the log. */
export interface EventLog {
  /** Makes an event ready for `writeEvents` inside a command of one's own; call `announce` once that has been committed. */
  prepare(event: NewEvent): PreparedEvent;
  /** Wakes those who deliver and those who read along. Nothing is lost without it; it only comes later. */
  announce(events: readonly Pick<PreparedEvent, 'accountId'>[]): void;
  /** Logs events that come with no other write; resolves when they and their deliveries are committed. */
  emit(events: readonly NewEvent[]): Promise<void>;
}

/** A public event and whose it is. */
export interface NewEvent {
  readonly accountId: string;
  readonly slotId: string;
  /**
   * Identifies the event among all of this number, the same for each repetition by the network. A second event with the
   * same key is dropped.
   */
  readonly key: string;
  readonly event: PublicEvent;
  /** The chat that it belongs to, when the event itself does not say. */
  readonly chat?: string | undefined;
  /** Extension of an event whose kind is part of the specification: only webhooks and readers that ask for it receive it. */
  readonly extension?: Extension | undefined;
}

/** Says that there is something new to deliver. Carries a lane when that lane should be tried at once, open breaker or not. */
export const DELIVERIES_TOPIC = 'deliveries';

/** The webhooks of a number, or the events they ask for, have changed; carries its slot. */
export const LISTENERS_TOPIC = 'listeners';

/** A reader follows events that need the number to appear online; repeated for as long as it reads. */
export const READERS_TOPIC = 'readers';

export interface ReaderNews {
  readonly accountId: string;
  /** Absent: of all numbers of the account. */
  readonly slotId?: string | undefined;
  /** For how long it holds unless it is said again. */
  readonly forMs: number;
}

/** Says that an account has new events in the log. */
export function eventsTopic(accountId: string): string {
  return `events.${accountId}`;
}

/** Long enough for a stream that reconnects. */
const FLEETING_KEPT_MS = 5 * 60 * 1_000;

export function createEventLog({
  store,
  bus,
  sealedBox,
  clock,
  isNotifiedByStore = false,
}: {
  store: Pick<Store, 'run'>;
  bus: Pick<Bus, 'publish'>;
  /** The store notifies the dispatcher of deliveries that this thread writes. */
  isNotifiedByStore?: boolean;
  sealedBox: Pick<SealedBox, 'seal'>;
  clock: Pick<Clock, 'now'>;
}): EventLog {
  /** Seals, redacts and measures an event on the main thread, so that the database thread only has to write it. */
  function prepare({
    accountId,
    slotId,
    key,
    event,
    chat = chatOf(event),
    extension,
  }: NewEvent): PreparedEvent {
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
      extension: extension ?? extensionOfKind(event.kind) ?? null,
      chat,
      at,
      expiresAt: at + (UNRECORDED_KINDS.has(event.kind) ? FLEETING_KEPT_MS : LOG_KEPT_MS),
      size: full?.length ?? Buffer.byteLength(body),
      body,
      sealed: full ? sealedBox.seal(full, sealContext(slotId, key)) : null,
    };
  }

  function announce(events: readonly Pick<PreparedEvent, 'accountId'>[]): void {
    if (events.length === 0) return;
    if (!isNotifiedByStore) bus.publish(DELIVERIES_TOPIC, null);
    for (const accountId of new Set(events.map((event) => event.accountId))) {
      bus.publish(eventsTopic(accountId), null);
    }
  }

  return {
    prepare,
    announce,
    async emit(events) {
      if (events.length === 0) return;
      const prepared = events.map(prepare);
      await store.run(logEvents, prepared);
      announce(prepared);
    },
  };
}

/** What an event of a number has to keep its order with: its chat, or the number as a whole, which is empty. */
function chatOf(event: PublicEvent): string {
  const field = EVENTS[event.kind].chat as keyof PublicEvent | null;
  return field === null ? '' : event[field];
}

/** A copy of the event without its content; the very same object when it has none. */
export function redact(event: PublicEvent): PublicEvent {
  return treat(event, HANDLING[event.kind]) as PublicEvent;
}

/** Null when there is nothing to redact. */
export function redactJson(event: string): string | null {
  const full: PublicEvent = JSON.parse(event);
  const redacted = redact(full);
  return redacted === full ? null : JSON.stringify(redacted);
}

function treat(value: unknown, handling: Handling): unknown {
  if (handling === 'kept' || value === undefined) return value;
  if (handling === 'content') return marker(value);
  if ('items' in handling) return Array.isArray(value) ? treatItems(value, handling.items) : marker(value);
  return isRecord(value) ? treatFields(value, handling.fields) : marker(value);
}

/** Copied only when something changes, so that an untouched event stays the same object. What the contract does not know is content. */
function treatFields(value: Record<string, unknown>, fields: Readonly<Record<string, Handling>>): unknown {
  let copy: Record<string, unknown> | undefined;
  for (const name in value) {
    const treated = treat(value[name], fields[name] ?? 'content');
    if (treated === value[name]) continue;
    copy ??= { ...value };
    copy[name] = treated;
  }
  return copy ?? value;
}

function treatItems(value: readonly unknown[], items: Handling): unknown {
  return items === 'kept' || value.length === 0 ? value : value.map((item) => treat(item, items));
}

/** Counts what the field takes in the payload, as UTF-8; a number counts as it is written. */
function marker(content: unknown): string {
  const written = typeof content === 'string' ? content : JSON.stringify(content);
  return redactedMarker(Buffer.byteLength(written, 'utf8'));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
