import { Agent, fetch } from 'undici';
import type { Clock } from '#kernel';
import { createOpenConnector, resolveBySystem } from './connector.ts';

/** `fetch` for a service that the operator has chosen, which may be in a private network. It settles in time, whatever the other side does. */
export interface ServiceFetch {
  readonly fetch: typeof globalThis.fetch;
  /** Breaks off what is under way. */
  close(): Promise<void>;
}

interface Limits {
  /** Until an answer begins. */
  readonly answerMs: number;
  /** For a request with a body: so much longer. */
  readonly bodyMs: number;
  /** Between two pieces of an answer. */
  readonly stallMs: number;
}

export function createServiceFetch({
  clock,
  limits: { answerMs, bodyMs, stallMs },
}: {
  clock: Pick<Clock, 'after'>;
  limits: Limits;
}): ServiceFetch {
  const dispatcher = new Agent({
    connect: createOpenConnector(resolveBySystem),
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: stallMs,
  });

  async function ask(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const late = new AbortController();
    const timer = clock.after(answerMs + (init.body ? bodyMs : 0), () => late.abort());
    try {
      const signal = init.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal;
      const options = { ...init, signal, dispatcher, redirect: 'manual' as const };
      return (await fetch(url, options as Parameters<typeof fetch>[1])) as unknown as Response;
    } finally {
      // From here on the pieces are watched.
      timer.cancel();
    }
  }

  return { fetch: ask as typeof globalThis.fetch, close: () => dispatcher.destroy() };
}
