import type { Dispatcher } from 'undici';
import type { Clock } from '#kernel';
import { parseHttpUrl } from './addresses.ts';
import type { Cancellations } from './cancellations.ts';
import { EgressError, egressError } from './errors.ts';

export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** For all of it: resolving, connecting, sending, answering. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** As much of the body of the answer is handed on, with its headers; without it neither is. */
  readonly keepBytes?: number;
}

export interface Posted {
  readonly status: number;
  readonly answer?: PostedAnswer;
}

export interface PostedAnswer {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Its beginning. */
  readonly body: Buffer;
  /** There was more. */
  readonly cut: boolean;
}

/** How much of an answer is read; whoever sends more gets the connection closed. */
const ANSWER_MAX_BYTES = 16 * 1024;
const NOTHING = Buffer.alloc(0);
export const USER_AGENT = 'Parley';

interface Target {
  readonly origin: string;
  readonly path: string;
}

const TARGETS_REMEMBERED = 1_000;

/** Where URLs lead to; undefined: nowhere that may be asked. Most posts go where the last ones went. */
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
 * Posts, and wants to know the status, and the beginning of the answer where that is asked for. Speaks to the dispatcher itself: the client's own `request` makes a stream, listeners and
 * controllers for every answer, and these hold each other in memory until the next great collection of garbage.
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

      /** Whatever the other side does, this settles in time; a request that has not left yet is broken off when its turn comes. */
      function giveUp(code: 'timeout' | 'cancelled'): void {
        givenUp = new EgressError(code);
        fail(givenUp);
        underWay?.abort(givenUp);
      }

      function keep(chunk: Buffer): void {
        if (keepBytes === undefined || keptBytes >= keepBytes) return;
        // A copy: the client uses the memory of a chunk again.
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
        // Read to its end, so that the connection can be used again; a flood is cut off.
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
