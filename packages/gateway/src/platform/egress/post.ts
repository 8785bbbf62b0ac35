import type { Dispatcher } from 'undici';
import type { Clock } from '#kernel';
import { parseHttpUrl } from './addresses.ts';
import { EgressError, egressError } from './errors.ts';

export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** Covers resolving, connecting, sending and the response. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** How much of the response's body is returned, with its headers; without it neither is. */
  readonly keepBytes?: number;
}

export interface Posted {
  readonly status: number;
  readonly answer?: PostedAnswer;
}

export interface PostedAnswer {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Beginning of the body. */
  readonly body: Buffer;
  /** The body was longer. */
  readonly cut: boolean;
}

/** How much of a response is read; the connection is closed beyond it. */
const ANSWER_MAX_BYTES = 16 * 1024;
const NOTHING = Buffer.alloc(0);
export const USER_AGENT = 'Parley';

interface Target {
  readonly origin: string;
  readonly path: string;
}

const TARGETS_REMEMBERED = 1_000;

/** Parsed targets of URLs; undefined for a URL that is not allowed. Most posts go to the same targets as the last ones. */
function createTargets(): { of(url: string): Target | undefined } {
  const known = new Map<string, Target>();
  return {
    of(url) {
      const remembered = known.get(url);
      if (remembered) return remembered;
      const parsed = parseHttpUrl(url);
      if (!parsed) return undefined;
      const target = { origin: parsed.origin, path: `${parsed.pathname}${parsed.search}` };
      if (known.size >= TARGETS_REMEMBERED) known.clear();
      known.set(url, target);
      return target;
    },
  };
}

/**
 * Posts, and resolves to the status and, on request, the beginning of the response. Uses the dispatcher directly: the client's own
 * `request` creates a stream, listeners and controllers for every response, and these keep each other in memory until the next major
 * garbage collection.
 */
export function createPost({
  dispatcher,
  clock,
  cancellations,
}: {
  dispatcher: Dispatcher;
  clock: Pick<Clock, 'after'>;
  cancellations: Cancellations;
}): (url: string, post: Post) => Promise<Posted> {
  const targets = createTargets();
  return (url, { headers, body, timeoutMs, signal, keepBytes }) =>
    new Promise((resolve, reject) => {
      const target = targets.of(url);
      if (!target) {
        reject(new EgressError('bad_url'));
        return;
      }
      let underWay: Dispatcher.DispatchController | undefined;
      let givenUp: EgressError | undefined;
      let listening: { stop(): void } | undefined;
      let status = 0;
      let bytes = 0;
      let answered: PostedAnswer['headers'] = {};
      const kept: Buffer[] = [];
      let keptBytes = 0;
      const timer = clock.after(timeoutMs, () => giveUp('timeout'));

      function letGo(): void {
        timer.cancel();
        listening?.stop();
      }

      /** Settles in time, whatever the server does; a request that has not left yet is aborted when its turn comes. */
      function giveUp(code: 'timeout' | 'cancelled'): void {
        givenUp = new EgressError(code);
        fail(givenUp);
        underWay?.abort(givenUp);
      }

      function keep(chunk: Buffer): void {
        if (keepBytes === undefined || keptBytes >= keepBytes) return;
        // A copy: the client reuses the memory of a chunk.
        const some = Buffer.from(chunk.subarray(0, keepBytes - keptBytes));
        kept.push(some);
        keptBytes += some.length;
      }

      function posted(): Posted {
        if (keepBytes === undefined) return { status };
        const [only = NOTHING, ...more] = kept;
        const body = more.length === 0 ? only : Buffer.concat(kept);
        return { status, answer: { headers: answered, body, cut: bytes > keptBytes } };
      }

      function fail(error: unknown): void {
        letGo();
        reject(egressError(error));
      }

      listening = signal && cancellations.listen(signal, () => giveUp('cancelled'));
      if (givenUp) return;
      const options = {
        ...target,
        method: 'POST',
        headers: { 'user-agent': USER_AGENT, ...headers },
        body,
      } as const;
      dispatcher.dispatch(options, {
        onRequestStart(controller) {
          underWay = controller;
          if (givenUp) controller.abort(givenUp);
        },
        onResponseStart(_controller, statusCode, responseHeaders) {
          status = statusCode;
          answered = responseHeaders;
        },
        // Reads to the end, so that the connection can be reused; an excessive body is cut off.
        onResponseData(controller, chunk) {
          bytes += chunk.length;
          keep(chunk);
          if (bytes <= ANSWER_MAX_BYTES) return;
          resolve(posted());
          controller.abort(new EgressError('too_large'));
        },
        onResponseEnd() {
          letGo();
          resolve(posted());
        },
        onResponseError(_controller, error) {
          fail(error);
        },
      });
    });
}

/** Listeners to abort signals. */
interface Cancellations {
  /** Calls `cancel` when the signal aborts, at once if it already has. */
  listen(signal: AbortSignal, cancel: () => void): { stop(): void };
}

/** One listener per signal, however many requests it can cancel: adding and removing one for each takes longer than signing its body. */
export function createCancellations(): Cancellations {
  const bySignal = new WeakMap<AbortSignal, Set<() => void>>();

  function listenersOf(signal: AbortSignal): Set<() => void> {
    const known = bySignal.get(signal);
    if (known) return known;
    const listeners = new Set<() => void>();
    bySignal.set(signal, listeners);
    signal.addEventListener('abort', () => {
      for (const cancel of listeners) cancel();
    });
    return listeners;
  }

  return {
    listen(signal, cancel) {
      if (signal.aborted) {
        cancel();
        return { stop() {} };
      }
      const listeners = listenersOf(signal);
      listeners.add(cancel);
      return { stop: () => void listeners.delete(cancel) };
    },
  };
}
