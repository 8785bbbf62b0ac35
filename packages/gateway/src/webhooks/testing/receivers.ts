import { EgressError, type Post } from '#platform/egress';

/** A request as a receiver saw it. */
export interface Received {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

type Answer = (request: Received) => number | Promise<number>;

/** Every receiver in the world, in memory: what is posted is kept, and answered as the test says. */
export interface Receivers {
  readonly received: Received[];
  /** Of all URLs that have no answer of their own. */
  answer: Answer;
  /** Attempts without an answer at this moment. */
  readonly open: number;
  post(url: string, post: Post): Promise<{ status: number }>;
}

export function createReceivers(clock: { now(): number }): Receivers {
  const received: Received[] = [];
  let open = 0;
  return {
    received,
    answer: () => 200,
    get open() {
      return open;
    },
    async post(url, { headers, body, signal }) {
      const request = { url, headers, body: String(body), at: clock.now() };
      received.push(request);
      open++;
      const cancelled = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(new EgressError('cancelled')));
      });
      try {
        return { status: await Promise.race([this.answer(request), cancelled]) };
      } finally {
        open--;
      }
    },
  };
}
