import Type from 'typebox';
import { CallEvent } from './call.ts';
import { ConnectionEvent } from './connection.ts';
import type { EventKind } from './kinds.ts';
import { MessageEvent } from './message.ts';
import { NewsletterMessageEvent } from './newsletter_message.ts';
import { PollVoteEvent } from './poll_vote.ts';
import { PresenceEvent } from './presence.ts';
import { ReceiptEvent } from './receipt.ts';
import { StatusEvent } from './status.ts';
import { TypingEvent } from './typing.ts';

export const EVENT_SCHEMAS = {
  message: MessageEvent,
  receipt: ReceiptEvent,
  status: StatusEvent,
  connection: ConnectionEvent,
  poll_vote: PollVoteEvent,
  typing: TypingEvent,
  presence: PresenceEvent,
  call: CallEvent,
  newsletter_message: NewsletterMessageEvent,
} as const satisfies Record<EventKind, Type.TObject>;

/** Any event, told apart by `kind`. */
export const PublicEvent = Type.Union(
  [
    MessageEvent,
    ReceiptEvent,
    StatusEvent,
    ConnectionEvent,
    PollVoteEvent,
    TypingEvent,
    PresenceEvent,
    CallEvent,
    NewsletterMessageEvent,
  ],
  { title: 'Event' },
);
export type PublicEvent = Type.Static<typeof PublicEvent>;
export type EventOf<K extends EventKind> = Extract<PublicEvent, { kind: K }>;
