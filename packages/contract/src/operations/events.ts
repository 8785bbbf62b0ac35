import Type from 'typebox';
import { PublicEvent } from '../events/index.ts';
import { EVENT_KINDS } from '../events/kinds.ts';
import { EVENTS_PAGE_DEFAULT, EVENTS_PAGE_MAX, EVENTS_WAIT_MAX_SECONDS, ID_MAX_LENGTH } from '../limits.ts';
import { SessionId } from '../primitives.ts';
import { closed, named, oneOf } from '../schema.ts';
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

const onEvents = { tag: 'Events', surface: 'v1', permission: 'webhooks', limits: [] } as const;
const selection = {
  session_id: Type.Optional(SessionId),
  kind: Type.Optional(oneOf(EVENT_KINDS)),
  after: Type.Optional(
    Type.String({
      maxLength: ID_MAX_LENGTH,
      description: 'A cursor; absent = from now on for the stream, from the oldest kept event for a pull.',
    }),
  ),
};

/** Events without a public address: the same payloads as webhooks, fetched instead of pushed. */
export const eventOperations = {
  pullEvents: operation({
    ...onEvents,
    id: 'pullEvents',
    method: 'GET',
    path: '/v1/events',
    summary: 'Pull events',
    description:
      'The same payloads as webhooks, for integrators without a public address. With `wait_seconds` the answer waits until there is something to tell.',
    query: closed({
      ...selection,
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: EVENTS_PAGE_MAX, default: EVENTS_PAGE_DEFAULT }),
      ),
      wait_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: EVENTS_WAIT_MAX_SECONDS, default: 0 })),
    }),
    answers: { 200: EventPage },
    errors: ['session_not_owned', 'key_restricted', 'cursor_invalid'],
  }),
  streamEvents: operation({
    ...onEvents,
    id: 'streamEvents',
    method: 'GET',
    path: '/v1/events/stream',
    summary: 'Stream events',
    description:
      'Server-sent events: `id` is the cursor, `event` the kind, `data` the payload. A client that reconnects with `Last-Event-ID` misses nothing.',
    query: closed(selection),
    headers: Type.Object({
      'Last-Event-ID': Type.Optional(
        Type.String({ description: 'Cursor of the last event seen; wins over `after`.' }),
      ),
    }),
    answers: { 200: Type.String() },
    answerType: 'text/event-stream',
    errors: ['session_not_owned', 'key_restricted', 'cursor_invalid'],
  }),
};
