import type Type from 'typebox';
import { anyOf } from '../schema.ts';
import { callEvent } from './call.ts';
import { chatEvent } from './chat.ts';
import { connectionEvent } from './connection.ts';
import { contactEvent } from './contact.ts';
import { contactLinkedEvent } from './contact_linked.ts';
import { deviceLinkedEvent } from './device_linked.ts';
import { groupEvent } from './group.ts';
import { healthEvent } from './health.ts';
import { historyEvent } from './history.ts';
import type { EventKind } from './kinds.ts';
import { messageEvent } from './message.ts';
import { newsletterMessageEvent } from './newsletter_message.ts';
import { pollVoteEvent } from './poll_vote.ts';
import { presenceEvent } from './presence.ts';
import { receiptEvent } from './receipt.ts';
import { statusEvent } from './status.ts';
import { typingEvent } from './typing.ts';

/** All event kinds, in the order of the documentation. Every other list of them is made from this one. */
export const EVENT_RECORDS = {
  message: messageEvent,
  receipt: receiptEvent,
  status: statusEvent,
  connection: connectionEvent,
  poll_vote: pollVoteEvent,
  typing: typingEvent,
  presence: presenceEvent,
  call: callEvent,
  newsletter_message: newsletterMessageEvent,
  group: groupEvent,
  chat: chatEvent,
  contact: contactEvent,
  contact_linked: contactLinkedEvent,
  history: historyEvent,
  health: healthEvent,
  device_linked: deviceLinkedEvent,
} as const;

type Schemas = { readonly [K in EventKind]: (typeof EVENT_RECORDS)[K]['schema'] };

export const EVENT_SCHEMAS = Object.fromEntries(
  Object.entries(EVENT_RECORDS).map(([kind, { schema }]) => [kind, schema]),
) as unknown as Schemas;

/** Any event, discriminated by `kind`. */
export const PublicEvent = anyOf(Object.values(EVENT_SCHEMAS), { title: 'Event' });
export type PublicEvent = Type.Static<typeof PublicEvent>;
export type EventOf<K extends EventKind> = Type.Static<(typeof EVENT_SCHEMAS)[K]>;
