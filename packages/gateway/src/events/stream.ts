import { Readable } from 'node:stream';
import type { Clock } from '#kernel';
import { formatCursor } from './cursor.ts';
import type { Feed, FeedEvent } from './feed.ts';
import type { LogFilter, Position } from './store.ts';

/** Live streams of events to callers, as server-sent events. */
export interface EventStreams {
  /** Begins behind `after`, else with what happens next. Ends when the caller goes away, may no longer read, or the gateway stops. */
  open(request: StreamRequest): Promise<Readable>;
  /** Ends all of them. */
  close(): void;
}

export interface StreamRequest {
  readonly filter: LogFilter;
  readonly after: Position | undefined;
  readonly signal: AbortSignal;
  /** Asked now and then: a key can be revoked while it listens. */
  readonly mayGoOn: () => Promise<boolean>;
}

/** Keeps the connection open through proxies, and finds out that the other side is gone. */
const HEARTBEAT_MS = 15_000;
const HEARTBEAT = ': still here\n\n';
/** How long a client waits before it reconnects. */
const RECONNECT_MS = 2_000;
const EVENTS_AT_ONCE = 100;

export function createEventStreams({ feed, clock }: { feed: Feed; clock: Clock }): EventStreams {
  const closing = new AbortController();

  async function* words({ filter, mayGoOn }: StreamRequest, from: Position, signal: AbortSignal) {
    let position = from;
    let checkedAt = clock.monotonic();
    yield greeting(from);
    while (!signal.aborted) {
      const options = { limit: EVENTS_AT_ONCE, waitMs: HEARTBEAT_MS, signal };
      const events = await feed.next(filter, position, options);
      if (clock.monotonic() - checkedAt >= HEARTBEAT_MS) {
        if (!(await mayGoOn())) return;
        checkedAt = clock.monotonic();
      }
      if (events.length === 0 && !signal.aborted) yield HEARTBEAT;
      for (const event of events) {
        yield asServerSentEvent(event);
        position = event.position;
      }
    }
  }

  return {
    async open(request) {
      const signal = AbortSignal.any([request.signal, closing.signal]);
      const from = request.after ?? (await feed.end(request.filter.accountId));
      return Readable.from(words(request, from, signal), { objectMode: false, highWaterMark: 64 * 1024 });
    },
    close: () => closing.abort(),
  };
}

/** Says where the stream begins, so that a client which loses it before the first event misses nothing either. */
function greeting(from: Position): string {
  return `id: ${formatCursor(from)}\nretry: ${RECONNECT_MS}\n\n`;
}

/** A payload is one line: JSON has no line breaks of its own. */
function asServerSentEvent({ cursor, kind, body }: FeedEvent): string {
  return `id: ${cursor}\nevent: ${kind}\ndata: ${body}\n\n`;
}
