import type Type from 'typebox';
import { anyOf } from '../schema.ts';
import { CallEvent } from './call.ts';
import { ChatEvent } from './chat.ts';
import { ConnectionEvent } from './connection.ts';
import { ContactEvent } from './contact.ts';
import { ContactLinkedEvent } from './contact_linked.ts';
import { GroupEvent } from './group.ts';
import { HealthEvent } from './health.ts';
import { HistoryEvent } from './history.ts';
import type { EVENTS, EventKind } from './kinds.ts';
import { MessageEvent } from './message.ts';
import { NewsletterMessageEvent } from './newsletter_message.ts';
import { PollVoteEvent } from './poll_vote.ts';
import { PresenceEvent } from './presence.ts';
import { ReceiptEvent } from './receipt.ts';
import { StatusEvent } from './status.ts';
import { TypingEvent } from './typing.ts';

/** An event names its kind, and its chat in the field that the table says. */
type SchemaOf<K extends EventKind> = Type.TSchema & {
  properties: { kind: Type.TLiteral<K> } & Record<NonNullable<(typeof EVENTS)[K]['chat']>, Type.TString>;
};

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
  group: GroupEvent,
  chat: ChatEvent,
  contact: ContactEvent,
  contact_linked: ContactLinkedEvent,
  history: HistoryEvent,
  health: HealthEvent,
} as const satisfies { [K in EventKind]: SchemaOf<K> };

/** Any event, told apart by `kind`. */
export const PublicEvent = anyOf(Object.values(EVENT_SCHEMAS), { title: 'Event' });
export type PublicEvent = Type.Static<typeof PublicEvent>;
export type EventOf<K extends EventKind> = Type.Static<(typeof EVENT_SCHEMAS)[K]>;
