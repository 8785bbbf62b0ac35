import {
  EVENT_STREAMS_PER_ACCOUNT,
  EVENT_STREAMS_PER_KEY,
  EVENT_STREAMS_RETRY_AFTER_SECONDS,
} from '../limits.ts';
import type { ErrorDefinition } from './error-type.ts';

export const webhookErrors = {
  webhook_not_found: {
    status: 404,
    text: 'webhook not found',
    advice: 'The id is wrong, or belongs to another account.',
  },
  webhook_exists: {
    status: 409,
    text: 'number already has a webhook; use PUT',
    advice: 'A number has one webhook. Change it with `PUT /v1/webhooks/{id}`.',
  },
  webhook_without_url: {
    status: 400,
    text: 'at least one of messages_url, status_url, connection_url, events_url is required',
    advice: 'A webhook that sends nothing is a mistake. Fill the URLs of the categories that you want.',
  },
  webhook_field_fixed: {
    status: 400,
    text: (p: { field: string }) => `${p.field} of a webhook cannot be changed`,
    sample: { field: 'phone' },
    advice:
      'A webhook belongs to its number. Leave the field out, or give it as it is; a new secret comes from `POST /v1/webhooks/{id}/rotate-secret`.',
  },
  webhook_url_not_https: {
    status: 400,
    text: (p: { field: string }) => `${p.field} must be an https url`,
    sample: { field: 'messages_url' },
    advice: 'In production events travel encrypted only.',
  },
  webhook_url_private: {
    status: 400,
    text: (p: { field: string }) => `${p.field} must not point to a private address`,
    sample: { field: 'messages_url' },
    advice:
      'The name leads to an address inside a private network, which the gateway does not call. Give it a public one, or read `GET /v1/events`.',
  },
  webhook_has_no_url: {
    status: 409,
    text: 'webhook has no url for this category',
    advice: 'Nothing can be sent to a category without an address. Set one with `PUT /v1/webhooks/{id}`.',
  },
  delivery_not_found: {
    status: 404,
    text: 'delivery not found',
    advice: 'The delivery has left the history, or belongs to another webhook.',
  },
  delivery_waiting: {
    status: 409,
    text: 'this delivery still waits to be delivered',
    advice: 'It is tried automatically; *Try now* starts the next attempt at once.',
  },
  delivery_not_waiting: {
    status: 409,
    text: 'only a delivery that waits can be hurried up',
    advice: 'It was delivered, is dead, or its webhook is paused.',
  },
  delivery_content_gone: {
    status: 409,
    text: 'the content of this delivery is no longer kept',
    advice:
      'The log keeps what was delivered for 3 days. Read what happened since with `GET /v1/events`, or ask the conversation.',
  },
  nothing_to_replay: {
    status: 409,
    text: 'there is nothing that could be delivered again',
    advice: 'Choose another time. What has left the log cannot be delivered again.',
  },
  delivery_not_dead: {
    status: 409,
    text: 'only a dead delivery can be delivered again',
    advice: 'It was delivered, or is still being tried.',
  },
  event_not_found: {
    status: 404,
    text: 'event not found',
    advice: 'Events are kept for three days, and longer only while they are to be delivered.',
  },
  cursor_invalid: {
    status: 400,
    text: 'cursor is not valid',
    advice: 'A cursor is used exactly as it was given. Start without one to begin anew.',
  },
  too_many_streams: {
    status: 429,
    text: `too many event streams are open: the limits are ${EVENT_STREAMS_PER_KEY} per key and ${EVENT_STREAMS_PER_ACCOUNT} per account`,
    retryAfterSeconds: EVENT_STREAMS_RETRY_AFTER_SECONDS,
    advice:
      'Close a stream that is no longer read, or let one stream feed all parts of your program: a stream carries the events of all numbers.',
  },
} as const satisfies Record<string, ErrorDefinition>;
