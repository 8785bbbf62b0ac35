import { Readable } from 'node:stream';
import type { Bus } from '#bus';
import type { Clock } from '#kernel';
import { type Feed, type FeedEvent, formatCursor } from './feed.ts';
import type { LiveFeed } from './live.ts';
import { READERS_TOPIC, type ReaderNews } from './log.ts';
import type { LogFilter, Position } from './store.ts';
import { createStreamSlots, type StreamSlot, type Subscriber } from './stream-slots.ts';

/** Events for callers who stay until there are some. */
export interface EventStreams {
  /**
   * Server-sent events behind `after`, else of what happens next. Ends when the caller goes away, may no longer read, or the gateway
   * stops.
   */
  open(request: StreamRequest): Promise<Readable>;
  /** The next events behind `after`, waiting for them for at most `waitMs`; none when the caller may no longer read them. */
  wait(request: WaitRequest): Promise<readonly FeedEvent[]>;
  /** Ends all of them. */
  close(): void;
}

/** Both throw `too_many_streams` when there are as many already as there may be. */
interface Request extends Omit<Subscriber, 'accountId' | 'slotId'> {
  readonly filter: LogFilter;
}

interface StreamRequest extends Request {
  readonly after: Position | undefined;
}

interface WaitRequest extends Request {
  readonly after: Position;
  readonly limit: number;
  readonly waitMs: number;
}

/** Keeps the connection open through proxies, and finds out that the other side is gone. */
const HEARTBEAT_MS = 15_000;
const HEARTBEAT = ': still here\n\n';
/** What the network tells only to those who appear online. Who reads all events has not asked for these, at the price of a silent phone. */
const ONLINE_ONLY: ReadonlySet<string> = new Set(['typing', 'presence']);
const TELL_EVERY_MS = 20_000;
/** How long a client waits before it reconnects. */
const RECONNECT_MS = 2_000;
const EVENTS_AT_ONCE = 100;
/** For the last words to a caller who is sent away; one that does not read them is cut off. */
const FAREWELL_MS = 200;

export function createEventStreams({
  feed,
  live,
  clock,
  learnNews,
  bus,
}: {
  bus: Pick<Bus, 'publish'>;
  feed: Pick<Feed, 'end'>;
  live: LiveFeed;
  clock: Clock;
  learnNews: () => Promise<void>;
}): EventStreams {
  const slots = createStreamSlots({ clock, learnNews });

  async function* words(filter: LogFilter, from: Position, { signal }: StreamSlot) {
    const follower = live.follow(filter, from);
    const options = { limit: EVENTS_AT_ONCE, waitMs: HEARTBEAT_MS, signal };
    try {
      yield greeting(from);
      while (!signal.aborted) {
        const events = await follower.next(options);
        if (events.length === 0 && !signal.aborted) yield HEARTBEAT;
        for (const event of events) {
          if (signal.aborted) return;
          yield asServerSentEvent(event);
        }
      }
    } finally {
      follower.leave();
    }
  }

  function takeSlot({ filter, holder, mayStay, signal }: Request): StreamSlot {
    const { accountId, slotId, kind } = filter;
    const slot = slots.take({ accountId, slotId, holder, mayStay, signal });
    if (kind === undefined || !ONLINE_ONLY.has(kind)) return slot;
    const stop = tellHosts({ accountId, slotId, forMs: 3 * TELL_EVERY_MS });
    slot.signal.addEventListener('abort', stop, { once: true });
    return {
      signal: slot.signal,
      leave() {
        stop();
        slot.leave();
      },
    };
  }

  /** From now on, until it is stopped. */
  function tellHosts(news: ReaderNews): () => void {
    bus.publish(READERS_TOPIC, news);
    let again = clock.after(TELL_EVERY_MS, repeat);
    function repeat(): void {
      bus.publish(READERS_TOPIC, news);
      again = clock.after(TELL_EVERY_MS, repeat);
    }
    return () => again.cancel();
  }

  return {
    async open(request) {
      const { filter, after } = request;
      const slot = takeSlot(request);
      try {
        const from = after ?? (await feed.end(filter.accountId));
        const stream = Readable.from(words(filter, from, slot), {
          objectMode: false,
          highWaterMark: 64 * 1024,
        });
        stream.once('close', slot.leave);
        slot.signal.addEventListener('abort', () => clock.after(FAREWELL_MS, () => stream.destroy()), {
          once: true,
        });
        return stream;
      } catch (error) {
        slot.leave();
        throw error;
      }
    },

    async wait(request) {
      const { filter, after, limit, waitMs } = request;
      const slot = takeSlot(request);
      const follower = live.follow(filter, after);
      try {
        const events = await follower.next({ limit, waitMs, signal: slot.signal });
        return slot.signal.aborted ? [] : events;
      } finally {
        follower.leave();
        slot.leave();
      }
    },

    close: () => slots.close(),
  };
}

/** Says where the stream begins, so that a client which loses it before the first event misses nothing either. */
function greeting(from: Position): string {
  return `id: ${formatCursor(from)}\nretry: ${RECONNECT_MS}\n\n`;
}

/** Written once for all streams that tell it. */
const written = new WeakMap<FeedEvent, string>();

/** A payload is one line: JSON has no line breaks of its own. */
function asServerSentEvent(event: FeedEvent): string {
  const known = written.get(event) ?? `id: ${event.cursor}\nevent: ${event.kind}\ndata: ${event.body}\n\n`;
  written.set(event, known);
  return known;
}
