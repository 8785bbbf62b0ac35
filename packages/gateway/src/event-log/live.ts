import type { Bus } from '#bus';
import type { Clock } from '#kernel';
import { awaitedLater, sleepOrAbort } from '#kernel';
import { type AccountReader, createAccountReader, isBehind, type Listener } from './account-reader.ts';
import { type Feed, type FeedEvent, PAGE_BYTES } from './feed.ts';
import type { LogFilter, Position } from './store.ts';

/** The logs of accounts as they grow. However many follow an account, its log is read along once. */
export interface LiveFeed {
  /** Begins behind `after`. Whoever follows must leave in the end. */
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

/** Keeps what is heard until it is taken. */
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
    hear(event) {
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
