import { type Connection, queryString, unreachable } from './call.ts';
import { errorOf, ParleyError } from './errors.ts';
import type { EventKind, ParleyEvent } from './generated/types.ts';
import type { Platform } from './platform.ts';
import { readServerSentEvents, type ServerSentEvent } from './server-sent-events.ts';

export type EventOf<K extends EventKind> = Extract<ParleyEvent, { kind: K }>;

export interface StreamOptions<K extends EventKind = EventKind> {
  /** Only events of this number. */
  readonly session_id?: string | undefined;
  /** Only events of this kind. */
  readonly kind?: K | undefined;
  /** Cursor: begins behind that event instead of with the next one. */
  readonly after?: string | undefined;
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined;
  /** Called each time the stream is established; from then on no event is missed. */
  readonly onOpen?: (() => void) | undefined;
  /** Called when the connection is lost, with the milliseconds until the stream reconnects. */
  readonly onReconnect?: ((cause: ParleyError, delayMs: number) => void) | undefined;
}

export interface StreamedEvent<E extends ParleyEvent = ParleyEvent> {
  /** Store it and pass it as `after` to resume behind this event later. */
  readonly cursor: string;
  readonly event: E;
}

/** Timeout for silence; the gateway sends a heartbeat every 15 seconds. */
const LONGEST_SILENCE_MS = 45_000;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/** Yields the events of an account while it is read. Resumes a lost connection behind the last event. */
export async function* streamEvents<K extends EventKind>(
  connection: Connection,
  platform: Platform,
  { signal, onOpen, onReconnect, after, ...filter }: StreamOptions<K>,
): AsyncGenerator<StreamedEvent<EventOf<K>>, void, void> {
  const url = `${connection.url}/v1/events${queryString(filter)}`;
  let cursor = after;
  let failures = 0;
  let hintMs = FIRST_DELAY_MS;
  while (!signal?.aborted) {
    try {
      for await (const { id, data, retry } of listen(url, cursor)) {
        failures = 0;
        // Sent once, in the greeting.
        if (retry !== undefined) onOpen?.();
        cursor = id ?? cursor;
        hintMs = retry ?? hintMs;
        if (data !== undefined && cursor !== undefined) yield { cursor, event: JSON.parse(data) };
      }
      throw new ParleyError('gateway ended the stream', { status: 0, code: 'unreachable' });
    } catch (error) {
      if (signal?.aborted) return;
      if (!(error instanceof ParleyError) || !isPassing(error)) throw error;
      const delayMs = delayAfter(error, failures, hintMs);
      failures += 1;
      onReconnect?.(error, delayMs);
      await sleepOrAbort(platform, delayMs, signal);
    }
  }

  function delayAfter({ retryAfter }: ParleyError, before: number, firstMs: number): number {
    if (retryAfter !== undefined) return retryAfter * 1_000;
    return Math.min(firstMs * 2 ** before, LONGEST_DELAY_MS) * (0.5 + platform.random() / 2);
  }

  async function* listen(from: string, lastSeen: string | undefined): AsyncGenerator<ServerSentEvent> {
    const closing = new AbortController();
    const leaving = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
    const watch = createWatch(platform, (cause) => closing.abort(cause));
    try {
      const response = await platform.fetch(from, {
        headers: {
          accept: 'text/event-stream',
          authorization: `Bearer ${connection.token}`,
          ...(lastSeen === undefined ? {} : { 'last-event-id': lastSeen }),
        },
        redirect: 'manual',
        signal: leaving,
      });
      if (!response.ok) throw await errorOf(response);
      if (!response.body) throw new TypeError('this fetch gives no body to read');
      yield* readServerSentEvents(watched(response.body, watch));
    } catch (error) {
      throw error instanceof ParleyError ? error : unreachable(from, error);
    } finally {
      watch.end();
      closing.abort();
    }
  }
}

/** Transient failures: no connection, a busy or a restarting gateway. Any other would repeat. */
function isPassing({ status }: ParleyError): boolean {
  return status === 0 || status === 429 || status >= 500;
}

interface Watch {
  seen(): void;
  end(): void;
}

function createWatch(platform: Platform, onSilence: (cause?: unknown) => void): Watch {
  let waiting = new AbortController();
  const begin = (): void => {
    waiting = new AbortController();
    const { signal } = waiting;
    sleepOrAbort(platform, LONGEST_SILENCE_MS, signal)
      .then(() => (signal.aborted ? undefined : onSilence()))
      .catch(onSilence);
  };
  begin();
  return {
    seen() {
      waiting.abort();
      begin();
    },
    end: () => waiting.abort(),
  };
}

/** Resolves early when the signal aborts, and never rejects. */
async function sleepOrAbort(platform: Platform, delayMs: number, signal?: AbortSignal): Promise<void> {
  try {
    await platform.sleep(delayMs, signal);
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}

/** Uses a reader: not every platform can iterate over a stream. */
async function* watched(stream: ReadableStream<Uint8Array>, watch: Watch): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      watch.seen();
      yield part.value;
    }
  } finally {
    // Cancelling a failed stream rejects with the error that `read` has already thrown.
    await Promise.allSettled([reader.cancel()]);
  }
}
