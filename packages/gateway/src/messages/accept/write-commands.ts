import { fromLatin1, toLatin1 } from '#kernel';
import type { Command, Packing, PgSession } from '#platform/store';
import {
  type AcceptItem,
  type AcceptResult,
  acceptBatch,
  type ChargeResult,
  chargeBatch,
  type QuotaCharge,
} from './batch.ts';
import { createLedger } from './ledger.ts';
import { loadLookups, writeBatch } from './postgres-ledger.ts';
import { openSqliteLedger } from './sqlite-ledger.ts';

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
  dailyNewChats: number,
  mediaId: string | null,
];

/** A send on its way to the writer thread. */
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
    toLatin1(item.requestHash),
    item.messageId,
    item.to,
    item.type,
    toLatin1(item.sealed),
    item.dailyNewChats,
    item.mediaId,
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
    dailyNewChats,
    mediaId,
  ]: PackedSend): AcceptItem => ({
    accountId,
    slotId,
    allowance: { sendsPerMinute },
    period: { start, end, plan, quota },
    now,
    sessionId,
    idempotencyKey,
    requestHash: fromLatin1(requestHash),
    messageId,
    to,
    type,
    sealed: fromLatin1(sealed),
    dailyNewChats,
    mediaId,
  }),
} satisfies Packing<AcceptItem>;

/** Idempotency, limits, quota and the rows of a send: committed together or not at all. */
export const acceptMessage: Command<AcceptItem, AcceptResult> = {
  name: 'messages.accept',
  locks: accountOf,
  packing: sendPacking,
  sqlite(db) {
    const { lookups, write } = openSqliteLedger(db);
    const message = db.prepare(
      `INSERT INTO messages (id, account_id, slot_id, session_id, request_id, to_jid, type, status, accepted_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, 'accepted', ?, ?)`,
    );
    const outbox = db.prepare(
      'INSERT INTO outbox (slot_id, seq, message_id, sealed, attempts, due_at) VALUES (?, ?, ?, ?, 0, ?)',
    );
    const pin = db.prepare('INSERT INTO media_pins (media_id, slot_id, seq) VALUES (?, ?, ?)');
    return (items) => {
      const ledger = createLedger(lookups);
      const { results, accepted } = acceptBatch(items, ledger);
      for (const { item, seq } of accepted) {
        const { messageId, accountId, slotId, sessionId, idempotencyKey, to, type, sealed, now } = item;
        message.run(messageId, accountId, slotId, sessionId, idempotencyKey, to, type, now, now);
        outbox.run(slotId, seq, messageId, sealed, now);
        if (item.mediaId !== null) pin.run(item.mediaId, slotId, seq);
      }
      write(ledger);
      return results;
    };
  },
  async postgres(client, items) {
    const ledger = createLedger(await loadLookups(client, items));
    const { results, accepted } = acceptBatch(items, ledger);
    writeBatch(client, ledger, accepted);
    return results;
  },
};

/** Charges a number's budget for a message outside the outbox, such as a post in a channel. */
export const chargeQuota: Command<QuotaCharge, ChargeResult> = {
  name: 'messages.spend',
  locks: accountOf,
  sqlite(db) {
    const { lookups, write } = openSqliteLedger(db);
    return (items) => {
      const ledger = createLedger(lookups);
      const results = items.map((item) => chargeBatch(item, ledger));
      write(ledger);
      return results;
    };
  },
  async postgres(client: PgSession, items) {
    const ledger = createLedger(await loadLookups(client, items));
    const results = items.map((item) => chargeBatch(item, ledger));
    writeBatch(client, ledger);
    return results;
  },
};

function accountOf({ accountId }: QuotaCharge): string {
  return accountId;
}
