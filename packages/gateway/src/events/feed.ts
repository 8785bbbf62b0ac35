import type { EventKind } from '@parley/contract';
import type { Bus } from '#bus';
import type { Clock } from '#kernel';
import type { Store } from '#store';
import type { EventReader } from '#webhooks';
import { formatCursor } from './cursor.ts';
import { eventsTopic } from './log.ts';
import { endOfLog, entriesAfter, type LogFilter, type Position } from './store.ts';

/** An event as it is read back from the log. */
export interface FeedEvent {
  readonly position: Position;
  readonly cursor: string;
  /** `X-Message-ID` */
  readonly eventId: string;
  readonly kind: EventKind;
  /** The payload, as JSON. */
  readonly body: string;
}

/** The log of an account, read from a place onwards. */
export interface Feed {
  /** Where the log ends now. */
  end(accountId: string): Promise<Position>;
  page(filter: LogFilter, after: Position, limit: number): Promise<FeedEvent[]>;
  /**
   * The next events, waiting for them for at most `waitMs`. Wakes up by the bus, and looks by itself from time to time in case a word on
   * the bus was lost. Answers nothing when the time is over or the signal aborts.
   */
  next(
    filter: LogFilter,
    after: Position,
    options: { limit: number; waitMs: number; signal: AbortSignal },
  ): Promise<FeedEvent[]>;
}

/** Of payloads in one page; a page with a larger event has that one alone. */
const PAGE_BYTES = 8 * 1024 * 1024;
/** An event may be announced a moment before readers may see it (see `entriesAfter`). */
const LOOK_AGAIN_MS = 200;
const LOOKS_AFTER_A_WORD = 10;
const LOOK_ANYWAY_MS = 5_000;

export function createFeed({
  store,
  bus,
  clock,
  reader,
}: {
  store: Pick<Store, 'read' | 'dialect'>;
  bus: Pick<Bus, 'subscribe'>;
  clock: Clock;
  reader: Pick<EventReader, 'payloads'>;
}): Feed {
  async function page(filter: LogFilter, after: Position, limit: number): Promise<FeedEvent[]> {
    const entries = withinBytes(await entriesAfter(store, filter, after, limit), PAGE_BYTES);
    const payloads = await reader.payloads(entries.map(({ seq }) => seq));
    return entries.flatMap(({ tx, seq, event_id: eventId, kind }) => {
      const body = payloads.get(seq);
      const position = { tx, seq };
      return body === undefined ? [] : [{ position, cursor: formatCursor(position), eventId, kind, body }];
    });
  }

  return {
    end: (accountId) => endOfLog(store, accountId),
    page,

    async next(filter, after, { limit, waitMs, signal }) {
      const until = clock.monotonic() + waitMs;
      let looksLeft = 0;
      let word = Promise.withResolvers<void>();
      const subscription = bus.subscribe(eventsTopic(filter.accountId), () => {
        looksLeft = LOOKS_AFTER_A_WORD;
        word.resolve();
      });
      try {
        for (;;) {
          word = Promise.withResolvers();
          const events = await page(filter, after, limit);
          const left = until - clock.monotonic();
          if (events.length > 0 || left <= 0 || signal.aborted) return events;
          const patience = looksLeft-- > 0 ? LOOK_AGAIN_MS : LOOK_ANYWAY_MS;
          await wait(Math.min(patience, left), word.promise, signal);
        }
      } finally {
        subscription.stop();
      }
    },
  };

  /** Until the time is over, the word comes or the signal aborts. */
  async function wait(ms: number, word: Promise<void>, signal: AbortSignal): Promise<void> {
    const enough = new AbortController();
    const either = AbortSignal.any([enough.signal, signal]);
    await Promise.race([word, clock.sleep(ms, either).catch(() => {})]);
    enough.abort();
  }
}

/** The first ones that together are small enough, and at least one. */
function withinBytes<T extends { readonly size: number }>(entries: readonly T[], most: number): T[] {
  let bytes = 0;
  const end = entries.findIndex((entry, index) => {
    bytes += entry.size;
    return index > 0 && bytes > most;
  });
  return end === -1 ? [...entries] : entries.slice(0, end);
}
