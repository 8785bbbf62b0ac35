import type { Dispatcher } from 'undici';
import type { Clock } from '#kernel';
import type { Cancellations } from './cancellations.ts';
import { EgressError, egressError } from './errors.ts';
import { parseHttpUrl } from './urls.ts';

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
  return (url, { headers, body, timeoutMs, signal }) =>
    new Promise((resolve, reject) => {
      const target = parseHttpUrl(url);
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
        origin: target.origin,
        path: `${target.pathname}${target.search}`,
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
