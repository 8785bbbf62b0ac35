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
}

export interface Posted {
  readonly status: number;
}

/** How much of an answer is read; whoever sends more gets the connection closed. */
const ANSWER_MAX_BYTES = 16 * 1024;
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
 * Posts, and wants to know nothing but the status. Speaks to the dispatcher itself: the client's own `request` makes a stream, listeners and
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
  return (url, { headers, body, timeoutMs, signal }) =>
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
        onResponseStart(_controller, statusCode) {
          status = statusCode;
        },
        // Read to its end, so that the connection can be used again; a flood is cut off.
        onResponseData(controller, chunk) {
          bytes += chunk.length;
          if (bytes <= ANSWER_MAX_BYTES) return;
          resolve({ status });
          controller.abort(new EgressError('too_large'));
        },
        onResponseEnd() {
          letGo();
          resolve({ status });
        },
        onResponseError(_controller, error) {
          fail(error);
        },
      });
    });
}
