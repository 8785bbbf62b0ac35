import type { Connection } from '../call.ts';
import type { Platform } from '../platform.ts';

interface SeenRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Next reaction of the gateway: an answer, or unreachable. */
export type Answer = Response | Error;

export interface StagedGateway {
  readonly platform: Platform;
  readonly seen: SeenRequest[];
  /** Delays of the client between requests. */
  readonly slept: number[];
}

/** Gateway that gives prepared answers in turn and repeats the last one, on a clock that only sleeping advances. */
export function stage(...answers: (() => Answer)[]): StagedGateway {
  const seen: SeenRequest[] = [];
  const slept: number[] = [];
  let now = 1_784_365_200_000;
  let ids = 0;
  return {
    seen,
    slept,
    platform: {
      async fetch(url, { method = 'GET', headers, body }) {
        const answer = (answers[seen.length] ?? answers.at(-1))?.() ?? json({});
        const text = typeof body === 'string' ? JSON.parse(body) : undefined;
        seen.push({ method, url: new URL(url), headers: new Headers(headers), body: text });
        if (answer instanceof Error) throw answer;
        return answer;
      },
      now: () => now,
      async sleep(ms, signal) {
        signal?.throwIfAborted();
        slept.push(ms);
        now += ms;
      },
      random: () => 0.5,
      uuid: () => `uuid-${++ids}`,
    },
  };
}

export function json(body: object, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers });
}

export function refusal(status: number, error: string, headers: Record<string, string> = {}): Response {
  return json({ error }, status, headers);
}

export const connection: Connection = {
  url: 'http://gateway',
  token: 'pk_1_secret',
  timeoutMs: 5_000,
  retries: 2,
  longestWaitMs: 30_000,
};
