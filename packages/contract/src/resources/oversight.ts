import Type from 'typebox';
import { IsoTime, Phone } from '../primitives.ts';
import { hasMore, named, nextCursor, nullable, oneOf } from '../schema.ts';
import { NumberStanding } from './health.ts';
import { Device } from './operator.ts';
import { FailingReceiver } from './receivers.ts';
import { Delivery } from './webhooks.ts';

export const RegisteredNumber = named('RegisteredNumber', {
  account_id: Type.String({ examples: ['acc_01j9z6m4k2'] }),
  ...Device.properties,
  health: Type.Optional(NumberStanding),
});
export type RegisteredNumber = Type.Static<typeof RegisteredNumber>;
export const RegisteredNumberList = named('RegisteredNumberList', {
  devices: Type.Array(RegisteredNumber),
  next_cursor: nextCursor,
});

export const TermsVersionList = named('TermsVersionList', {
  versions: Type.Array(
    named('TermsVersion', {
      version: Type.String({ examples: ['2026-07'] }),
      url: Type.String(),
      published_at: IsoTime,
      effective_at: IsoTime,
    }),
    { description: 'Newest first; the first one that has taken effect is in force.' },
  ),
});
export type TermsVersionList = Type.Static<typeof TermsVersionList>;

export const Queues = named('Queues', {
  outbox: Type.Object({
    waiting: Type.Integer({ description: 'Messages accepted and not on the network yet.', examples: [3] }),
    oldest_at: nullable(IsoTime, { description: 'When the one that waits longest was accepted.' }),
  }),
  deliveries: Type.Object({
    pending: Type.Integer({ examples: [12] }),
    paused: Type.Integer({ description: 'Waiting because their webhook is not active.', examples: [0] }),
    dead: Type.Integer({ examples: [1] }),
    oldest_at: nullable(IsoTime, { description: 'When the pending one that waits longest was queued.' }),
  }),
});
export type Queues = Type.Static<typeof Queues>;

export const DeadLetter = named('DeadLetter', {
  account_id: Type.String({ examples: ['acc_01j9z6m4k2'] }),
  webhook_id: Type.String({ examples: ['wh_01j9z6m4k2'] }),
  phone: Phone,
  queued_at: IsoTime,
  ...Delivery.properties,
  status: Type.Literal('dead'),
});
export type DeadLetter = Type.Static<typeof DeadLetter>;
export const DeadLetterList = named('DeadLetterList', { dead_letters: Type.Array(DeadLetter) });

export const QuarantineEntry = named('QuarantineEntry', {
  quarantine_id: Type.String({ examples: ['qua_4fzyo82m1x7c9b3d5e6f0g'] }),
  account_id: Type.String({ examples: ['acc_01j9z6m4k2'] }),
  phone: nullable(Phone, { description: 'Null: the number is no longer registered.' }),
  kind: Type.String({ description: 'Kind of the network event.', examples: ['message'] }),
  reason: Type.String({
    description: 'Why it could not be stored, without a word of its content.',
    examples: ['PostgreSQL refused a statement (SQLSTATE 22021)'],
  }),
  size: Type.Integer({ description: 'Bytes of what is kept sealed.', examples: [412] }),
  quarantined_at: IsoTime,
});
export type QuarantineEntry = Type.Static<typeof QuarantineEntry>;
export const QuarantineRetry = named('QuarantineRetry', {
  stored: Type.Boolean({ examples: [true] }),
  reason: nullable(Type.String(), {
    description: 'Why it was not stored this time either.',
    examples: [null],
  }),
});
export type QuarantineRetry = Type.Static<typeof QuarantineRetry>;
export const QuarantineList = named('QuarantineList', { entries: Type.Array(QuarantineEntry) });

/** Parts of the network's language, of which the driver keeps one table each. */
export const DRIFT_PARTS = [
  'stanza',
  'notification',
  'ib',
  'receipt',
  'call',
  'ack',
  'message',
  'protocol',
  'mex',
  'query',
] as const;
export type DriftPart = (typeof DRIFT_PARTS)[number];

export const DriftEntry = named('DriftEntry', {
  part: oneOf(DRIFT_PARTS, {
    description:
      'Top tags of stanzas, types and children of notifications, children of `<ib>`, types of receipts, signals of calls, codes of refusals, fields of messages, types of protocol messages, announced operations, and stored queries of the gateway that the network does not know.',
    examples: ['notification'],
  }),
  name: Type.String({
    description: '`other`: everything above 64 names of its part.',
    examples: ['companion_reg_refresh'],
  }),
  count: Type.Integer({ description: 'How often it came, over all numbers.', examples: [3] }),
  first_seen_at: IsoTime,
  last_seen_at: IsoTime,
  sample: Type.String({
    description: 'Structure of the first one: names of tags, attributes and fields, no values.',
    examples: ['notification[from id t type](companion_reg_refresh)'],
  }),
});
export type DriftEntry = Type.Static<typeof DriftEntry>;
export const DriftList = named('DriftList', {
  entries: Type.Array(DriftEntry, { description: 'The kinds seen last first.' }),
});

export const ThroughputPoint = named('ThroughputPoint', {
  at: Type.String({ ...IsoTime, description: 'When the minute or the hour began.' }),
  accepted: Type.Integer({ description: 'Messages accepted for sending.', examples: [120] }),
  sent: Type.Integer({ description: 'Messages that the network has taken.', examples: [118] }),
  received: Type.Integer({ description: 'Messages that came.', examples: [64] }),
  delivered: Type.Integer({ description: 'Events that webhooks have taken.', examples: [301] }),
});
export type ThroughputPoint = Type.Static<typeof ThroughputPoint>;
export const Throughput = named('Throughput', {
  span: oneOf(['minute', 'hour']),
  points: Type.Array(ThroughputPoint, {
    description: 'Oldest first, without those in which nothing happened.',
  }),
});

export const FailingReceiverOfAccount = named('FailingReceiverOfAccount', {
  account_id: Type.String({ examples: ['acc_01j9z6m4k2'] }),
  ...FailingReceiver.properties,
});
export type FailingReceiverOfAccount = Type.Static<typeof FailingReceiverOfAccount>;
export const FailingReceiverOfAllList = named('FailingReceiverOfAllList', {
  receivers: Type.Array(FailingReceiverOfAccount, { description: 'Failing longest first.' }),
  has_more: hasMore,
});

export const AuditLog = named('AuditLog', {
  entries: Type.Array(
    named('AuditEntry', {
      entry_id: Type.String({ examples: ['1042'] }),
      at: IsoTime,
      actor: Type.String({
        description:
          '`operator`, `system`, `member:<member id>` or `key:<key id>`; `owner:<account id>` in old entries.',
        examples: ['member:mem_01j9z6m4k2'],
      }),
      actor_name: nullable(Type.String({ examples: ['Ada King (ada@example.com)'] }), {
        description: 'Of the member who acted; null for others, and for those who have left.',
      }),
      account_id: nullable(Type.String(), { description: 'Null: it concerns every account.' }),
      action: Type.String({ examples: ['device.registered'] }),
      subject: Type.String({ description: 'Id of what was changed.', examples: ['slot_01j9z6m4k2'] }),
      detail: Type.Record(Type.String(), Type.Unknown(), { examples: [{ plan: 'max' }] }),
    }),
  ),
});
export type AuditLog = Type.Static<typeof AuditLog>;
