import Type from 'typebox';
import { PublicEvent } from '../events/index.ts';
import { EVENT_KINDS, EXTENSION_NAMES } from '../events/kinds.ts';
import { EVENTS_PAGE_DEFAULT, EVENTS_PAGE_MAX, EVENTS_WAIT_MAX_SECONDS, ID_MAX_LENGTH } from '../limits.ts';
import { SessionId } from '../primitives.ts';
import { closed, EXPECTS, named, oneLine, oneOf } from '../schema.ts';
import { operation } from './operation.ts';

const EventPage = named('EventPage', {
  events: Type.Array(
    named('StoredEvent', {
      event_id: Type.String({
        description: 'Same as the `X-Message-ID` of the webhook.',
        examples: ['3EB0C767D71C5A4F1D2B'],
      }),
      cursor: Type.String({
        description: 'Pass it as `after` to go on behind this event.',
        examples: ['01j9z6m4k2'],
      }),
      event: PublicEvent,
    }),
    { description: 'Oldest first.' },
  ),
  next_cursor: Type.String({
    description: 'Pass it as `after` next time; unchanged when there was nothing new.',
    examples: ['01j9z6m4k2'],
  }),
});
export type EventPage = Type.Static<typeof EventPage>;

/** Events without a public address: the payloads of webhooks, fetched instead of pushed. */
export const eventOperations = {
  readEvents: operation({
    id: 'readEvents',
    tag: 'Events',
    surface: 'v1',
    permission: 'webhooks',
    limits: [],
    method: 'GET',
    path: '/v1/events',
    summary: 'Stream or pull events',
    description: [
      'The same payloads as webhooks, for integrators without a public address. Events stay readable for 3 days.',
      'By default, or with `Accept: text/event-stream`, the answer is a stream of server-sent events: `id` is the cursor, `event` the kind, `data` the payload. A client that reconnects with `Last-Event-ID` misses nothing.',
      'With `Accept: application/json`, or with `after`, `limit` or `wait_seconds` in the query, the answer is a page. With `wait_seconds` it waits for the next event.',
    ].join('\n\n'),
    query: closed({
      session_id: Type.Optional(SessionId),
      kind: Type.Optional(oneOf(EVENT_KINDS)),
      extensions: Type.Optional(
        Type.String({
          pattern: `^(?:${EXTENSION_NAMES.join('|')})(?:,(?:${EXTENSION_NAMES.join('|')}))*$`,
          description:
            'Comma-separated events beyond the default, as in `extensions` of a webhook. A `kind` includes its extension.',
          examples: ['health'],
          [EXPECTS]: `any of ${EXTENSION_NAMES.join(', ')}, with commas between`,
        }),
      ),
      after: Type.Optional(
        Type.String({
          maxLength: ID_MAX_LENGTH,
          ...oneLine,
          description:
            'A cursor. Absent: a stream begins with what happens next, a page with the oldest event kept.',
        }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: EVENTS_PAGE_MAX, default: EVENTS_PAGE_DEFAULT }),
      ),
      wait_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: EVENTS_WAIT_MAX_SECONDS, default: 0 })),
    }),
    headers: Type.Object({
      'Last-Event-ID': Type.Optional(
        Type.String({
          ...oneLine,
          description: 'Cursor of the last event seen; wins over `after` in a stream.',
        }),
      ),
    }),
    answers: { 200: EventPage },
    streamType: 'text/event-stream',
    errors: [
      'session_not_owned',
      'key_restricted',
      'device_not_active',
      'cursor_invalid',
      'too_many_streams',
    ],
    sdk: 'events.list',
    mcp: { tool: true, foreignText: true },
    cli: ['listen'],
    run: { query: { limit: '20' } },
  }),
};
