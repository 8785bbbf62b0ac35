import type { Packing } from '#store';
import type { AcceptItem } from './accept-batch.ts';

type PackedSend = readonly [
  accountId: string,
  slotId: string,
  sendsPerMinute: number,
  periodStart: number,
  periodEnd: number,
  plan: string,
  quota: number,
  now: number,
  sessionId: string,
  idempotencyKey: string,
  requestHash: string,
  messageId: string,
  to: string,
  type: string,
  sealed: string,
];

/** A send on its way to the thread that writes it down. */
export const sendPacking = {
  pack: (item: AcceptItem): PackedSend => [
    item.accountId,
    item.slotId,
    item.allowance.sendsPerMinute,
    item.period.start,
    item.period.end,
    item.period.plan,
    item.period.quota,
    item.now,
    item.sessionId,
    item.idempotencyKey,
    textOf(item.requestHash),
    item.messageId,
    item.to,
    item.type,
    textOf(item.sealed),
  ],
  unpack: ([
    accountId,
    slotId,
    sendsPerMinute,
    start,
    end,
    plan,
    quota,
    now,
    sessionId,
    idempotencyKey,
    requestHash,
    messageId,
    to,
    type,
    sealed,
  ]: PackedSend): AcceptItem => ({
    accountId,
    slotId,
    allowance: { sendsPerMinute },
    period: { start, end, plan, quota },
    now,
    sessionId,
    idempotencyKey,
    requestHash: Buffer.from(requestHash, 'latin1'),
    messageId,
    to,
    type,
    sealed: Buffer.from(sealed, 'latin1'),
  }),
} satisfies Packing<AcceptItem>;

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
