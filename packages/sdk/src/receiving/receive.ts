import type { WebhookHeaders } from './verify.ts';

/** Answer to the gateway. */
export interface WebhookAnswer {
  readonly status: 204 | 401;
}

/** Verifies and handles a request of any server. Throws what a handler throws. */
export type Receive = (rawBody: string | Uint8Array, headers: WebhookHeaders) => Promise<WebhookAnswer>;
