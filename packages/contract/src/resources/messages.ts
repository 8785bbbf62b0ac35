import Type from 'typebox';
import { UnixSeconds } from '../primitives.ts';
import { named, oneOf } from '../schema.ts';

export const MessageAccepted = named(
  'MessageAccepted',
  {
    message_id: Type.Optional(
      Type.String({
        description:
          'Also the id on the network. Absent for type `disappearing`, which is a setting and no message.',
        examples: ['3EB0C767D71C5A4F1D2B'],
      }),
    ),
    status: Type.Literal('accepted'),
  },
  { examples: [{ message_id: '3EB0C767D71C5A4F1D2B', status: 'accepted' }] },
);
export type MessageAccepted = Type.Static<typeof MessageAccepted>;

export const MESSAGE_STATES = ['accepted', 'sent', 'failed', 'delivered', 'read', 'played'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

export const FAILURE_REASONS = [
  'INVALID_RECIPIENT',
  'MEDIA_FAILED',
  'SEND_FAILED',
  'RETRIES_EXHAUSTED',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];
export const FailureReason = oneOf(FAILURE_REASONS, {
  description: [
    '`INVALID_RECIPIENT`: the target is invalid or not on the network.',
    '`MEDIA_FAILED`: the media URL could not be fetched, is larger than 64 MB, or has an unknown type.',
    '`SEND_FAILED`: another permanent failure.',
    '`RETRIES_EXHAUSTED`: transient failures outlasted all attempts.',
  ].join('\n'),
});

export const MessageRecord = named('MessageRecord', {
  message_id: Type.String({ examples: ['3EB0C767D71C5A4F1D2B'] }),
  request_id: Type.String({ description: 'The Idempotency-Key of the send.', examples: ['order-1042'] }),
  session_id: Type.String({ examples: ['15550001001:1@s.whatsapp.net'] }),
  to: Type.String({
    description: 'Target JID; empty for a status.',
    examples: ['15550002001@s.whatsapp.net'],
  }),
  type: Type.String({
    description: 'The `type` of the send; `text` or `media` for plain messages.',
    examples: ['text'],
  }),
  status: oneOf(MESSAGE_STATES, { examples: ['delivered'] }),
  reason: Type.Optional(FailureReason),
  network_message_id: Type.Optional(Type.String()),
  accepted_at_unix: UnixSeconds,
  updated_at_unix: UnixSeconds,
});
export type MessageRecord = Type.Static<typeof MessageRecord>;
