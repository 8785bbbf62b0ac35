import type { WebhookHeaders } from './verify.ts';

/** What to answer to the gateway. */
export interface WebhookAnswer {
  readonly status: 204 | 401;
}

/** Judges and handles a request, whatever server it came through. What a handler throws comes out of it. */
export type Receive = (rawBody: string | Uint8Array, headers: WebhookHeaders) => Promise<WebhookAnswer>;
