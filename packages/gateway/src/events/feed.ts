import type { EventKind, Extension } from '@parley/contract';
import { apiError } from '#kernel';
import type { Store } from '#platform/store';
import {
  endOfLog,
  entriesAfter,
  type LogEntry,
  type LogFilter,
  type PayloadReader,
  type Position,
} from './event-log-queries.ts';

/** An event as it is read back from the log. */
export interface FeedEvent {
  readonly position: Position;
  readonly cursor: string;
  /** `X-Message-ID` */
  readonly eventId: string;
  readonly slotId: string;
  readonly kind: EventKind;
  /** Only for those who ask for this; null: for everybody. */
  readonly extension: Extension | null;
  /** The payload, as JSON. */
  readonly body: string;
}

interface FeedPage {
  readonly events: readonly FeedEvent[];
  /** How far it goes, also where its last events were not wanted or can no longer be opened. */
  readonly upTo: Position;
}

/** The log of an account, read from a place onwards. */
export interface Feed {
  /** Where the log ends now. */
  end(accountId: string): Promise<Position>;
  /** `wants` leaves events out without opening them. */
  page(
    filter: LogFilter,
    after: Position,
    limit: number,
    wants?: (entry: LogEntry) => boolean,
  ): Promise<FeedPage>;
}

export const START_OF_LOG: Position = { tx: 0, seq: 0 };

/** Of payloads in one page; a page with a larger event has that one alone. */
export const PAGE_BYTES = 8 * 1024 * 1024;

export function createFeed({
  store,
  readPayloads,
}: {
  store: Pick<Store, 'read' | 'dialect'>;
  readPayloads: PayloadReader;
}): Feed {
  return {
    end: (accountId) => endOfLog(store, accountId),

    async page(filter, after, limit, wants = () => true) {
      const entries = withinBytes(await entriesAfter(store, filter, after, limit), wants);
      const wanted = entries.filter(wants);
      const payloads = await readPayloads(wanted.map(({ seq }) => seq));
      const events = wanted.flatMap(({ tx, seq, event_id: eventId, slot_id: slotId, kind, extension }) => {
        const body = payloads.get(seq);
        const position = { tx, seq };
        return body === undefined
          ? []
          : [{ position, cursor: formatCursor(position), eventId, slotId, kind, extension, body }];
      });
      const last = entries.at(-1);
      return { events, upTo: last ? { tx: last.tx, seq: last.seq } : after };
    },
  };
}

/** The first ones of which those that are wanted are together small enough, and at least one of these. */
function withinBytes(entries: readonly LogEntry[], wants: (entry: LogEntry) => boolean): LogEntry[] {
  let bytes = 0;
  const end = entries.findIndex((entry) => {
    if (!wants(entry)) return false;
    const isFirst = bytes === 0;
    bytes += entry.size;
    return !isFirst && bytes > PAGE_BYTES;
  });
  return end === -1 ? [...entries] : entries.slice(0, end);
}

/** A position as callers carry it around; what it is made of is not theirs to know. */
export function formatCursor({ tx, seq }: Position): string {
  return `${tx.toString(36)}-${seq.toString(36)}`;
}

export function parseCursor(text: string): Position {
  const [, tx, seq] = /^([0-9a-z]{1,10})-([0-9a-z]{1,10})$/.exec(text) ?? [];
  if (tx === undefined || seq === undefined) throw apiError('cursor_invalid');
  return { tx: Number.parseInt(tx, 36), seq: Number.parseInt(seq, 36) };
}
