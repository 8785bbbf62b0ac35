import { BODIES_RETRY_AFTER_SECONDS } from '../limits.ts';
import type { ErrorDefinition } from './error-type.ts';

export const requestErrors = {
  invalid_field: {
    status: 400,
    text: (p: { text: string }) => p.text,
    sample: { text: 'to is required' },
    advice:
      'A field, parameter or header is missing, unknown, or has a value that does not fit. The text names it and says what it takes. Correct the request.',
  },
  body_not_json: {
    status: 400,
    text: 'body is not valid JSON',
    advice: 'The body could not be read as JSON. Look for a missing quote, or a shell that swallowed one.',
  },
  host_twice: {
    status: 400,
    text: 'header Host must be given once',
    advice: 'The request has two `Host` headers. Look at the client, or at the proxy that adds one.',
  },
  not_http: {
    status: 400,
    text: 'not an HTTP request',
    advice:
      'The first bytes on the connection are not an HTTP/1.1 request: check for `http://` in place of `https://`, or for a broken header. The connection is closed.',
  },
  request_too_slow: {
    status: 408,
    text: 'request took too long to arrive',
    advice:
      'Headers have 10 seconds to arrive, the whole request 30. Look at the network in between. The connection is closed.',
  },
  headers_too_large: {
    status: 431,
    text: 'request headers are too large',
    advice:
      'All headers together may have 16 KiB. Look for a cookie or a token that does not belong here. The connection is closed.',
  },
  content_type_not_json: {
    status: 415,
    text: 'content type must be application/json',
    advice: 'Send `Content-Type: application/json` with every body.',
  },
  body_too_large: {
    status: 413,
    text: 'body is too large',
    advice: 'Files do not travel inside requests: give their address in `media_url`.',
  },
  too_many_own_bodies: {
    status: 429,
    text: 'too many request bodies of yours are under way; retry shortly',
    retryAfterSeconds: BODIES_RETRY_AFTER_SECONDS,
    advice:
      'Requests of this account hold too much of the gateway’s memory with their bodies. Wait as long as `Retry-After` says, and send fewer at once.',
  },
  too_many_bodies: {
    status: 503,
    text: 'too many request bodies are under way; retry shortly',
    retryAfterSeconds: BODIES_RETRY_AFTER_SECONDS,
    advice:
      'The gateway holds as many bodies of requests as it has memory for. Nothing was accepted. Repeat after `Retry-After`, a send with the same `Idempotency-Key`.',
  },
  not_found: {
    status: 404,
    text: 'not found',
    advice:
      'There is no such path on this gateway, or the surface is turned off: `/operator/v1` without a token, `/sandbox/v1` on the real network.',
  },
  method_not_allowed: {
    status: 405,
    text: 'method not allowed',
    advice: 'The path exists, the method does not. The header `Allow` names those that do.',
  },
  internal_error: {
    status: 500,
    text: (p: { requestId: string }) => `internal error (request ${p.requestId})`,
    sample: { requestId: 'req_01j9z6m4' },
    advice:
      'A bug of the gateway. Repeat the request once, a send with the same `Idempotency-Key`; if it fails again, give the request id to the operator.',
  },
  shutting_down: {
    status: 503,
    text: 'gateway is shutting down; retry shortly',
    retryAfterSeconds: 1,
    advice: 'The process is stopping, usually for an upgrade. Repeat the request after a second.',
  },
  store_unreachable: {
    status: 502,
    text: 'gateway could not reach its database; retry later',
    advice:
      'The gateway lost its database. Nothing was accepted. Repeat, a send with the same `Idempotency-Key`.',
  },
  not_ready: {
    status: 503,
    text: (p: { part: string }) => `${p.part} is not usable`,
    sample: { part: 'store' },
    advice: 'Answered by `/readyz` only: the named part is not usable, and no traffic should be sent here.',
  },
} as const satisfies Record<string, ErrorDefinition>;
