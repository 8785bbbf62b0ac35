import Type from 'typebox';
import { type EventCategory, EXTENSION_NAMES, EXTENSIONS, eventKindsOf } from '../events/kinds.ts';
import { WEBHOOK_PAUSE_DAYS } from '../limits.ts';
import { IsoTime, Phone, UnixSeconds } from '../primitives.ts';
import { named, oneOf } from '../schema.ts';

function targetOf(category: EventCategory): string {
  const kinds = eventKindsOf(category).map((kind) => `\`${kind}\``);
  // Avoids `Intl.ListFormat`, whose data takes 50 ms of every start to load.
  const list = [kinds.slice(0, -1).join(', '), kinds.at(-1)].filter(Boolean).join(' and ');
  return `Target of ${list} events; empty = not sent.`;
}

const Extensions = Type.Array(oneOf(EXTENSION_NAMES), {
  uniqueItems: true,
  maxItems: EXTENSION_NAMES.length,
  description: `Events beyond the default: ${EXTENSION_NAMES.map((name) => `\`${name}\`, ${EXTENSIONS[name]}`).join('; ')}.`,
  examples: [['health']],
});
/** Present in answers only when set; without it they are those of the specification. */
export const WebhookExtensions = Type.Optional(Extensions);

const configuration = {
  id: Type.String({ examples: ['wh_01j9z6m4k2'] }),
  phone: Phone,
  messages_url: Type.String({
    description: targetOf('messages'),
    examples: ['https://app.example.com/hooks/messages'],
  }),
  status_url: Type.String({
    description: targetOf('status'),
    examples: ['https://app.example.com/hooks/status'],
  }),
  connection_url: Type.String({ description: targetOf('connection') }),
  events_url: Type.String({ description: targetOf('events') }),
  active: Type.Boolean({ examples: [true] }),
  created_at: IsoTime,
  extensions: WebhookExtensions,
  paused: Type.Optional(
    Type.Literal(true, {
      description: `Only while it is paused: nothing is sent, and what happens is kept for up to ${WEBHOOK_PAUSE_DAYS} days.`,
    }),
  ),
};
const secret = Type.String({
  description: 'Signing secret, shown only now.',
  examples: ['whsec_5d41402abc4b2a76'],
});

export const Webhook = named('Webhook', configuration);
export type Webhook = Type.Static<typeof Webhook>;
export const WebhookWithSecret = named('WebhookWithSecret', { ...configuration, secret });
export type WebhookWithSecret = Type.Static<typeof WebhookWithSecret>;
export const WebhookList = named('WebhookList', { webhooks: Type.Array(Webhook) });
export const WebhookSecret = named('WebhookSecret', { secret });

export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const DeliveryAttempt = named('DeliveryAttempt', {
  at_unix: UnixSeconds,
  status_code: Type.Optional(Type.Integer({ description: 'What the receiver answered.', examples: [503] })),
  error: Type.Optional(Type.String({ description: 'Why there was no answer.' })),
  duration_ms: Type.Integer({ examples: [84] }),
});
export type DeliveryAttempt = Type.Static<typeof DeliveryAttempt>;

export const RedactedEvent = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The payload with its content fields replaced by `[redacted: <n> bytes]`.',
  examples: [
    { kind: 'message', message_id: '3EB0C767D71C5A4F1D2B', type: 'text', text: '[redacted: 18 bytes]' },
  ],
});

export const Delivery = named(
  'Delivery',
  {
    delivery_id: Type.String({ examples: ['dl_2n9c'] }),
    kind: Type.String({ description: 'Kind of the event.', examples: ['message'] }),
    url: Type.String(),
    status: oneOf(DELIVERY_STATUSES, { description: '`dead`: every attempt failed.' }),
    attempts: Type.Array(DeliveryAttempt),
    next_attempt_at_unix: Type.Optional(UnixSeconds),
    event: RedactedEvent,
  },
  {
    examples: [
      {
        delivery_id: 'dl_2n9c',
        kind: 'message',
        url: 'https://app.example.com/hooks/messages',
        status: 'pending',
        attempts: [{ at_unix: 1_784_365_200, status_code: 503, duration_ms: 84 }],
        next_attempt_at_unix: 1_784_365_230,
        event: {
          kind: 'message',
          message_id: '3EB0C767D71C5A4F1D2B',
          type: 'text',
          text: '[redacted: 18 bytes]',
        },
      },
    ],
  },
);
export type Delivery = Type.Static<typeof Delivery>;
export const DeliveryList = named('DeliveryList', {
  deliveries: Type.Array(Delivery, { description: 'Newest first.' }),
});
export const DeliveryQueued = named('DeliveryQueued', {
  delivery_id: Type.String({ examples: ['dl_2n9c'] }),
  status: Type.Literal('pending'),
});
export type DeliveryQueued = Type.Static<typeof DeliveryQueued>;
