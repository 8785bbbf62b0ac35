import {
  EVENTS,
  type Extension,
  extensionOfKind,
  type PublicEvent,
  UNRECORDED_KINDS,
} from '@parley/contract';
import type { Bus } from '#bus';
import type { Clock, SealedBox } from '#kernel';
import type { Store } from '#store';
import { sealContext } from './payload.ts';
import { LOG_KEPT_MS, publicId } from './plain-event.ts';
import { redact } from './redact.ts';
import { logEvents, type PreparedEvent } from './write-commands.ts';

/** Where public events enter the gateway: logged, queued for their webhook, and shown to whoever reads along. */
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
   * Names the happening among all of this number, the same however often it is told. Written once: a second event with the same key
   * is dropped.
   */
  readonly key: string;
  readonly event: PublicEvent;
  /** The chat that it belongs to, when the event itself does not say. */
  readonly chat?: string | undefined;
  /** Of an event that goes beyond the specification though its kind does not: who is told of it has to ask for this. */
  readonly extension?: Extension | undefined;
}

/** Says that there is something new to deliver. Carries a lane when that lane should be tried at once, open breaker or not. */
export const DELIVERIES_TOPIC = 'deliveries';

/** Says that who listens to a number has changed, or what they are to hear; carries its slot. */
export const LISTENERS_TOPIC = 'listeners';

/** Says that somebody reads along what only those are told who appear online; said again and again while they do. */
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
  deliveriesAreTold = false,
}: {
  store: Pick<Store, 'run'>;
  bus: Pick<Bus, 'publish'>;
  /** Whoever delivers hears of what this thread writes from the store itself. */
  deliveriesAreTold?: boolean;
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
    if (!deliveriesAreTold) bus.publish(DELIVERIES_TOPIC, null);
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
