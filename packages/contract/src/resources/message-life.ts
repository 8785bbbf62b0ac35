import Type from 'typebox';
import { EVENT_KINDS } from '../events/kinds.ts';
import { Phone, UnixSeconds } from '../primitives.ts';
import { named, nullable, oneOf } from '../schema.ts';
import { MESSAGE_STATES, MessageRecord } from './messages.ts';
import { PortalDelivery } from './receivers.ts';
import { RedactedEvent } from './webhooks.ts';

export const MESSAGE_DIRECTIONS = ['out', 'in'] as const;
export type MessageDirection = (typeof MESSAGE_DIRECTIONS)[number];

export const MessageEntry = named('MessageEntry', {
  cursor: Type.String({
    description: 'As `before`: older ones. Of what came in, also the name of its event.',
  }),
  message_id: Type.String(),
  phone: Type.String({ description: 'The number that sent or got it.' }),
  with: Type.String({ description: 'Whom it went to or came from; empty for a status.' }),
  type: Type.String(),
  status: nullable(oneOf(MESSAGE_STATES), { description: 'Null for what came in.' }),
  at_unix: UnixSeconds,
});
export type MessageEntry = Type.Static<typeof MessageEntry>;

export const MessagePage = named('MessagePage', {
  messages: Type.Array(MessageEntry, { description: 'Newest first.' }),
  next: nullable(Type.String(), {
    description:
      'As `before`: what is older. A search looks through a part at a time, so that there may be more behind a short page. Null: that was all.',
  }),
});
export type MessagePage = Type.Static<typeof MessagePage>;

const RelatedDelivery = named('RelatedDelivery', {
  ...PortalDelivery.properties,
  webhook_id: Type.String(),
});
export type RelatedDelivery = Type.Static<typeof RelatedDelivery>;
const deliveries = Type.Array(RelatedDelivery, {
  description: 'Its deliveries, newest first, as far as the delivery log reaches.',
});

export const WAIT_CAUSES = ['not_linked', 'not_connected', 'cooldown', 'retry', 'paced', 'turn'] as const;
export type WaitCause = (typeof WAIT_CAUSES)[number];

export const MessageLife = named('MessageLife', {
  ...MessageRecord.properties,
  phone: Phone,
  steps: Type.Array(
    Type.Object({
      state: oneOf(MESSAGE_STATES),
      at_unix: nullable(UnixSeconds, { description: 'When it came so far first; null: no longer known.' }),
      people: Type.Integer({ description: 'How many are known to have got, read or played it; 0: unknown.' }),
    }),
    { description: 'All that it has come through, in order.' },
  ),
  waiting: nullable(
    Type.Object({
      cause: oneOf(WAIT_CAUSES),
      ahead: Type.Integer({ description: 'Messages of the number that go before it.' }),
      attempts: Type.Integer({ description: 'How often it was tried in vain.' }),
      due_at_unix: UnixSeconds,
    }),
    { description: 'Why it has not left yet; null: it has, or never will.' },
  ),
  deliveries,
});
export type MessageLife = Type.Static<typeof MessageLife>;

export const EventDetail = named('EventDetail', {
  event_id: Type.String(),
  phone: Phone,
  kind: oneOf(EVENT_KINDS),
  at_unix: UnixSeconds,
  event: RedactedEvent,
  deliveries,
});
export type EventDetail = Type.Static<typeof EventDetail>;

const figures = {
  accepted: Type.Integer({ description: 'All that were accepted.' }),
  sent: Type.Integer({ description: 'Of these, those that the network took.' }),
  delivered: Type.Integer({ description: 'Of these, those that arrived.' }),
  failed: Type.Integer(),
  received: Type.Integer({ description: 'Messages of others, in groups too.' }),
};
export type UsageFigures = Readonly<Record<keyof typeof figures, number>>;

export const DailyUsage = named('DailyUsage', {
  days: Type.Array(
    Type.Object({ date: Type.String({ description: 'UTC.', examples: ['2026-07-18'] }), ...figures }),
    { description: 'Oldest first, empty ones included.' },
  ),
});
export type DailyUsage = Type.Static<typeof DailyUsage>;

export const NumberUsageList = named('NumberUsageList', {
  numbers: Type.Array(Type.Object({ phone: Phone, nickname: nullable(Type.String()), ...figures }), {
    description: 'Those with the most messages first.',
  }),
});
export type NumberUsageList = Type.Static<typeof NumberUsageList>;
