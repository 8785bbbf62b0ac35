import { Readable } from 'node:stream';
import { EVENT_STREAMS_PER_ACCOUNT, EVENT_STREAMS_PER_KEY } from '@parley/contract';
import { apiError, type Clock, neverRejects, sleepOrAbort, warnOf } from '#kernel';
import type { Bus } from '#platform/bus';
import type { LogFilter, Position } from './event-log-queries.ts';
import { type Feed, type FeedEvent, formatCursor } from './feed.ts';
import type { LiveFeed } from './live.ts';
import { READERS_TOPIC, type ReaderNews } from './log.ts';

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
/** Kinds that the network sends only to numbers that appear online. Readers of all events do not request them, because an online link silences the phone. */
const ONLINE_ONLY: ReadonlySet<string> = new Set(['typing', 'presence']);
const PROGRESS_EVERY_MS = 20_000;
/** How long a client waits before it reconnects. */
const RECONNECT_MS = 2_000;
const EVENTS_AT_ONCE = 100;
/** For the last words to a caller who is sent away; one that does not read them is cut off. */
const CLOSE_TIMEOUT_MS = 200;

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
    const stop = notifyHosts({ accountId, slotId, forMs: 3 * PROGRESS_EVERY_MS });
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
  function notifyHosts(news: ReaderNews): () => void {
    bus.publish(READERS_TOPIC, news);
    let again = clock.after(PROGRESS_EVERY_MS, repeat);
    function repeat(): void {
      bus.publish(READERS_TOPIC, news);
      again = clock.after(PROGRESS_EVERY_MS, repeat);
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
        slot.signal.addEventListener('abort', () => clock.after(CLOSE_TIMEOUT_MS, () => stream.destroy()), {
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

/** Serialized once for all streams. */
const written = new WeakMap<FeedEvent, string>();

/** A payload is one line: JSON has no line breaks of its own. */
function asServerSentEvent(event: FeedEvent): string {
  const known = written.get(event) ?? `id: ${event.cursor}\nevent: ${event.kind}\ndata: ${event.body}\n\n`;
  written.set(event, known);
  return known;
}

/** Open streams: limited per account and per key, and ended when their credentials are revoked. */
interface StreamSlots {
  /** Throws `too_many_streams`. The caller must leave the slot in the end. */
  take(subscriber: Subscriber): StreamSlot;
  /** Ends all of them. */
  close(): void;
}

export interface Subscriber {
  readonly accountId: string;
  /** Credentials of the subscriber: a key, or the session of a signed-in browser. */
  readonly holder: string;
  /** Asked again and again while they stay; the same for all with this holder and number. */
  readonly mayStay: () => boolean | Promise<boolean>;
  /** The one number that it is about, where it is about one. */
  readonly slotId: string | undefined;
  /** Aborts when the subscriber disconnects. */
  readonly signal: AbortSignal;
}

interface StreamSlot {
  /** Aborts when they have gone away, may no longer stay, or the gateway stops. */
  readonly signal: AbortSignal;
  leave(): void;
}

/** Twice within the second that a revocation may take, so that one slow look does not make it late. */
export const LOOK_EVERY_MS = 400;

export function createStreamSlots({
  clock,
  learnNews,
}: {
  clock: Clock;
  /** Makes sure that every change of keys and accounts that is committed by now is known. */
  learnNews: () => Promise<void>;
}): StreamSlots {
  const taken = new Map<Subscriber, AbortController>();
  const closing = new AbortController();
  let looking = false;

  function countOf(which: 'accountId' | 'holder', value: string): number {
    let count = 0;
    for (const subscriber of taken.keys()) if (subscriber[which] === value) count += 1;
    return count;
  }

  async function keepLooking(): Promise<void> {
    if (looking) return;
    looking = true;
    while (taken.size > 0 && !closing.signal.aborted) {
      await sleepOrAbort(clock, LOOK_EVERY_MS, closing.signal);
      await look();
    }
    looking = false;
  }

  /** Who cannot be proved to be allowed is not. */
  async function look(): Promise<void> {
    const isKnown = await learnNews().then(
      () => true,
      (error: unknown) => {
        warnOf('could not learn who may still listen; all streams end')(error);
        return false;
      },
    );
    const groups = Map.groupBy(taken.keys(), ({ holder, slotId }) => `${holder} ${slotId ?? ''}`);
    for (const subscribers of groups.values()) {
      const [one] = subscribers;
      if (isKnown && one && (await isAllowed(one))) continue;
      for (const subscriber of subscribers) taken.get(subscriber)?.abort();
    }
  }

  return {
    take(subscriber) {
      const { accountId, holder, signal } = subscriber;
      if (
        countOf('holder', holder) >= EVENT_STREAMS_PER_KEY ||
        countOf('accountId', accountId) >= EVENT_STREAMS_PER_ACCOUNT
      )
        throw apiError('too_many_streams');
      const expelling = new AbortController();
      const leave = (): void => void taken.delete(subscriber);
      taken.set(subscriber, expelling);
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
      neverRejects(keepLooking());
      return { signal: AbortSignal.any([signal, expelling.signal, closing.signal]), leave };
    },
    close: () => closing.abort(),
  };
}

async function isAllowed({ mayStay }: Subscriber): Promise<boolean> {
  try {
    return await mayStay();
  } catch (error) {
    warnOf('could not learn whether a stream may go on; it ends')(error);
    return false;
  }
}
