import { EXTENSION_NAMES } from '@parley/contract';
import { awaitedLater, type Clock, neverRejects, sleepOrAbort, waitAtMost } from '#kernel';
import type { Bus } from '#platform/bus';
import type { LogEntry, LogFilter, Position } from './event-log-queries.ts';
import { type Feed, type FeedEvent, PAGE_BYTES } from './feed.ts';
import { eventsTopic } from './log.ts';

/** Follows the logs of accounts, with one read per account for all its followers. */
export interface LiveFeed {
  /** Begins behind `after`. The caller must call `leave` in the end. */
  follow(filter: LogFilter, after: Position): Follower;
}

export interface Follower {
  /**
   * The next events, oldest first; waits for them for at most `waitMs`. Answers nothing when the time is over or the signal aborts.
   */
  next(options: { limit: number; waitMs: number; signal: AbortSignal }): Promise<readonly FeedEvent[]>;
  leave(): void;
}

/** What waits for a follower who is slow. With more than that it is left behind, and catches up by reading for itself. */
const EVENTS_KEPT = 1_000;

export function createLiveFeed({
  feed,
  bus,
  clock,
}: {
  feed: Feed;
  bus: Pick<Bus, 'subscribe'>;
  clock: Clock;
}): LiveFeed {
  const readers = new Map<string, AccountReader>();

  function readerOf(accountId: string): AccountReader {
    const known = readers.get(accountId);
    if (known) return known;
    const onIdle = (): void => {
      if (readers.get(accountId) === made) readers.delete(accountId);
    };
    const made = createAccountReader({ accountId, feed, bus, clock, onIdle });
    readers.set(accountId, made);
    return made;
  }

  return {
    follow(filter, after) {
      const reader = readerOf(filter.accountId);
      const kept = keepFor(filter);
      const joined = reader.add(kept);
      awaitedLater(joined);
      let position = after;
      let catchingUp = true;

      /** What lies between the follower and what is kept for it; undefined when there is nothing left of that. */
      async function catchUp(limit: number): Promise<readonly FeedEvent[] | undefined> {
        for (;;) {
          const { events, upTo } = await feed.page(filter, position, limit);
          if (!isBehind(position, upTo)) return undefined;
          position = upTo;
          if (events.length > 0) return events;
        }
      }

      return {
        async next({ limit, waitMs, signal }) {
          await joined;
          const until = clock.monotonic() + waitMs;
          for (;;) {
            if (kept.hasLost()) {
              // From here on everything is kept again; what was lost lies before that, and is read.
              kept.beginAgain();
              catchingUp = true;
            }
            if (catchingUp) {
              const missed = await catchUp(limit);
              if (missed) return missed;
              catchingUp = false;
            }
            const events = kept.take(limit).filter((event) => isBehind(position, event.position));
            const last = events.at(-1);
            if (last) {
              position = last.position;
              return events;
            }
            const left = until - clock.monotonic();
            if (left <= 0 || signal.aborted) return [];
            if (!kept.hasLost()) await kept.wait(clock, left, signal);
          }
        },
        leave: () => reader.remove(kept),
      };
    },
  };
}

interface Kept extends Listener {
  take(limit: number): FeedEvent[];
  hasLost(): boolean;
  beginAgain(): void;
  /** Until there is something, the time is over or the signal aborts. Rejects when nothing will come any more. */
  wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void>;
}

/** Buffers received events until they are taken. */
function keepFor({ slotId, kind, extensions }: LogFilter): Kept {
  let events: FeedEvent[] = [];
  let characters = 0;
  let lost = false;
  let failed: { readonly error: unknown } | undefined;
  let news = Promise.withResolvers<void>();

  return {
    wants: (entry) =>
      (slotId === undefined || entry.slot_id === slotId) &&
      (kind === undefined || entry.kind === kind) &&
      (entry.extension === null || extensions.includes(entry.extension)),
    receive(event) {
      if (lost) return;
      events.push(event);
      characters += event.body.length;
      if (events.length > EVENTS_KEPT || characters > PAGE_BYTES) {
        lost = true;
        events = [];
      }
      news.resolve();
    },
    fail(error) {
      failed = { error };
      news.resolve();
    },
    take(limit) {
      const taken = events.splice(0, limit);
      for (const { body } of taken) characters -= body.length;
      return taken;
    },
    hasLost: () => lost,
    beginAgain() {
      lost = false;
      characters = 0;
    },
    async wait(clock, ms, signal) {
      if (events.length === 0 && !failed) {
        news = Promise.withResolvers();
        const enough = new AbortController();
        const either = AbortSignal.any([enough.signal, signal]);
        await Promise.race([news.promise, sleepOrAbort(clock, ms, either)]);
        enough.abort();
      }
      if (failed) throw failed.error;
    },
  };
}

/** Receives the events of an account. */
interface Listener {
  wants(event: Pick<LogEntry, 'slot_id' | 'kind' | 'extension'>): boolean;
  receive(event: FeedEvent): void;
  /** The log cannot be read; the listener receives nothing more. */
  fail(error: unknown): void;
}

/** Follows the log of one account, with one read for all listeners. */
interface AccountReader {
  /** After it resolves, the listener receives every event that readers could not see before; earlier ones it may receive or not. */
  add(listener: Listener): Promise<void>;
  remove(listener: Listener): void;
}

const ENTRIES_AT_ONCE = 500;
/** An event may be announced a moment before readers may see it (see `entriesAfter`). */
const LOOK_AGAIN_MS = 200;
const LOOKS_AFTER_A_WORD = 10;
const LOOK_ANYWAY_MS = 5_000;

function createAccountReader({
  accountId,
  feed,
  bus,
  clock,
  onIdle,
}: {
  accountId: string;
  feed: Feed;
  bus: Pick<Bus, 'subscribe'>;
  clock: Clock;
  /** Called when the last listener has left, or the reader has failed; the next listener needs a new reader. */
  onIdle: () => void;
}): AccountReader {
  const listeners = new Set<Listener>();
  const stopping = new AbortController();
  const begun = Promise.withResolvers<void>();
  // It may fail while no caller awaits it.
  awaitedLater(begun.promise);
  let word = Promise.withResolvers<void>();
  let looksLeft = 0;

  const isWanted = (entry: LogEntry): boolean => [...listeners].some((listener) => listener.wants(entry));

  async function readAlong(): Promise<void> {
    const filter = { accountId, slotId: undefined, kind: undefined, extensions: EXTENSION_NAMES };
    let position = await feed.end(accountId);
    begun.resolve();
    while (!stopping.signal.aborted) {
      word = Promise.withResolvers();
      const { events, upTo } = await feed.page(filter, position, ENTRIES_AT_ONCE, isWanted);
      for (const event of events) distribute(event);
      if (isBehind(position, upTo)) position = upTo;
      else await waitAtMost(clock, looksLeft-- > 0 ? LOOK_AGAIN_MS : LOOK_ANYWAY_MS, word.promise);
    }
  }

  function distribute(event: FeedEvent): void {
    const { slotId: slot_id, kind, extension } = event;
    for (const listener of listeners)
      if (listener.wants({ slot_id, kind, extension })) listener.receive(event);
  }

  async function run(): Promise<void> {
    const subscription = bus.subscribe(eventsTopic(accountId), () => {
      looksLeft = LOOKS_AFTER_A_WORD;
      word.resolve();
    });
    try {
      await readAlong();
    } catch (error) {
      onIdle();
      begun.reject(error);
      for (const listener of listeners) listener.fail(error);
    } finally {
      subscription.stop();
    }
  }

  return {
    add(listener) {
      listeners.add(listener);
      if (listeners.size === 1) neverRejects(run());
      return begun.promise;
    },
    remove(listener) {
      if (!listeners.delete(listener) || listeners.size > 0) return;
      stopping.abort();
      word.resolve();
      onIdle();
    },
  };
}

function isBehind(one: Position, other: Position): boolean {
  return one.tx < other.tx || (one.tx === other.tx && one.seq < other.seq);
}
