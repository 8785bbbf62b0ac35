import Type from 'typebox';
import { DELIVERY_ANSWER_MAX_BYTES } from '../limits.ts';
import { Phone, UnixSeconds } from '../primitives.ts';
import { hasMore, named, nullable, oneOf } from '../schema.ts';
import { Delivery, DeliveryAttempt } from './webhooks.ts';

/** Reason why a receiver did not accept an event, as seen from outside. */
export const RECEIVER_FAILURES = [
  'unauthorized',
  'not_found',
  'redirect',
  'rate_limited',
  'rejected',
  'server_error',
  'nowhere',
  'unreachable',
  'certificate',
  'timeout',
  'broken_answer',
] as const;
export type ReceiverFailure = (typeof RECEIVER_FAILURES)[number];

export const FailingReceiver = named('FailingReceiver', {
  url: Type.String(),
  webhooks: Type.Array(
    Type.Object({ webhook_id: Type.String({ examples: ['wh_01j9z6m4k2'] }), phone: Phone }),
    {
      description: 'Those that send to it.',
    },
  ),
  failing_since_unix: UnixSeconds,
  last_failure_at_unix: UnixSeconds,
  cause: oneOf(RECEIVER_FAILURES),
  status_code: nullable(Type.Integer({ examples: [401] }), {
    description: 'What it answered; null: nothing.',
  }),
  next_attempt_at_unix: nullable(UnixSeconds, { description: 'Null: with the next event.' }),
  left_alone: Type.Boolean({
    description: 'It failed so often that only one probe at a time is sent, ever more rarely.',
  }),
  waiting: Type.Integer({
    description: 'Deliveries that wait for it, counted up to 10,000.',
    examples: [12],
  }),
  oldest_waiting_at_unix: nullable(UnixSeconds),
});
export type FailingReceiver = Type.Static<typeof FailingReceiver>;
export const FailingReceiverList = named('FailingReceiverList', {
  receivers: Type.Array(FailingReceiver, { description: 'Failing longest first.' }),
  has_more: hasMore,
});

const delivery = {
  ...Delivery.properties,
  event_id: Type.String({ description: 'The `X-Message-ID` of its requests.' }),
  counterparty: nullable(Type.String(), { description: 'The person, group or channel that it is about.' }),
  queued_at_unix: UnixSeconds,
  test: Type.Boolean({ description: 'Whether it is a requested sample.' }),
};
export const PortalDelivery = named('PortalDelivery', delivery);
export type PortalDelivery = Type.Static<typeof PortalDelivery>;
export const PortalDeliveryList = named('PortalDeliveryList', {
  deliveries: Type.Array(PortalDelivery, { description: 'Newest first.' }),
});

const Headers = Type.Array(Type.Object({ name: Type.String(), value: Type.String() }));
export const AnsweredAttempt = named('AnsweredAttempt', {
  ...DeliveryAttempt.properties,
  answer: nullable(
    Type.Object({
      headers: Headers,
      body: Type.String({ description: `The first ${DELIVERY_ANSWER_MAX_BYTES} bytes.` }),
      cut: Type.Boolean({ description: 'There was more.' }),
    }),
    { description: 'Null: there was none, or it is no longer known.' },
  ),
  cause: nullable(oneOf(RECEIVER_FAILURES), { description: 'Null: it was taken.' }),
});
export type AnsweredAttempt = Type.Static<typeof AnsweredAttempt>;

export const PortalDeliveryDetail = named('PortalDeliveryDetail', {
  ...delivery,
  webhook_id: Type.String(),
  phone: Phone,
  attempts: Type.Array(AnsweredAttempt),
  request: Type.Object(
    { headers: Headers },
    { description: 'Of the last attempt, or of the first to come.' },
  ),
  size: Type.Integer({ description: 'Bytes of the whole payload.' }),
  repeatable: Type.Boolean({ description: 'Its payload is still there: it can be delivered again.' }),
});
export type PortalDeliveryDetail = Type.Static<typeof PortalDeliveryDetail>;

export const DeliveryReplay = named('DeliveryReplay', {
  replay_id: Type.String({ examples: ['rp_01j9z6m4k2'] }),
  total: Type.Integer({ description: 'Deliveries that were put back in the queue.' }),
  delivered: Type.Integer(),
  waiting: Type.Integer(),
  dead: Type.Integer({ description: 'Failed to the end once more.' }),
});
export type DeliveryReplay = Type.Static<typeof DeliveryReplay>;
