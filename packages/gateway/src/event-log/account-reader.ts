import { EXTENSION_NAMES } from '@parley/contract';
import type { Bus } from '#bus';
import { awaitedLater, type Clock, neverRejects, waitAtMost } from '#kernel';
import type { Feed, FeedEvent } from './feed.ts';
import { eventsTopic } from './log.ts';
import type { LogEntry, Position } from './store.ts';

/** Somebody who wants to know what happens on an account. */
export interface Listener {
  wants(event: Pick<LogEntry, 'slot_id' | 'kind' | 'extension'>): boolean;
  hear(event: FeedEvent): void;
  /** The log cannot be read; nothing is heard any more. */
  fail(error: unknown): void;
}

/** Reads the log of one account along as it grows, once for all who listen. */
export interface AccountReader {
  /** Resolves when everything that readers could not see before will be heard. What they could see by then may be heard too, or not. */
  add(listener: Listener): Promise<void>;
  remove(listener: Listener): void;
}

const ENTRIES_AT_ONCE = 500;
/** An event may be announced a moment before readers may see it (see `entriesAfter`). */
const LOOK_AGAIN_MS = 200;
const LOOKS_AFTER_A_WORD = 10;
const LOOK_ANYWAY_MS = 5_000;

export function createAccountReader({
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
  /** Nobody listens any more, or it has failed: whoever comes next needs a new one. */
  onIdle: () => void;
}): AccountReader {
  const listeners = new Set<Listener>();
  const stopping = new AbortController();
  const begun = Promise.withResolvers<void>();
  // Nobody may be waiting for it when it fails.
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
      for (const event of events) tell(event);
      if (isBehind(position, upTo)) position = upTo;
      else await waitAtMost(clock, looksLeft-- > 0 ? LOOK_AGAIN_MS : LOOK_ANYWAY_MS, word.promise);
    }
  }

  function tell(event: FeedEvent): void {
    const { slotId: slot_id, kind, extension } = event;
    for (const listener of listeners) if (listener.wants({ slot_id, kind, extension })) listener.hear(event);
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

export function isBehind(one: Position, other: Position): boolean {
  return one.tx < other.tx || (one.tx === other.tx && one.seq < other.seq);
}
