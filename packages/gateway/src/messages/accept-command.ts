import type { AccountLimitsRow, Command, PgSession, SendLimitsRow, SqliteSession } from '#store';
import {
  type AcceptItem,
  type AcceptResult,
  acceptBatch,
  type EarlierUse,
  type SpendItem,
  type SpendResult,
  spend,
} from './accept-batch.ts';
import { type BatchLedger, createLedger, type Lookups } from './ledger.ts';
import { loadLookups, writeAccepted, writeLedger } from './postgres-ledger.ts';

/** Idempotency, limits, quota and the rows of a send, in one go: all of it is committed, or nothing is. */
export const acceptMessage: Command<AcceptItem, AcceptResult> = {
  name: 'messages.accept',
  sqlite(db) {
    const lookups = sqliteLookups(db);
    const writeUse = sqliteLedgerWriter(db);
    const message = db.prepare(
      `INSERT INTO messages (id, account_id, slot_id, session_id, request_id, to_jid, type, status, accepted_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, 'accepted', ?, ?)`,
    );
    const outbox = db.prepare(
      'INSERT INTO outbox (slot_id, seq, message_id, sealed, attempts, due_at) VALUES (?, ?, ?, ?, 0, ?)',
    );
    // A key that was used more than a day ago may still be there: its row is taken over.
    const key = db.prepare(
      `INSERT INTO idempotency_keys (account_id, key, request_hash, message_id, created_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (account_id, key) DO UPDATE SET
         request_hash = excluded.request_hash, message_id = excluded.message_id, created_at = excluded.created_at`,
    );
    return (items) => {
      const ledger = createLedger(lookups);
      const { results, accepted } = acceptBatch(items, ledger);
      for (const { item, seq } of accepted) {
        const {
          messageId,
          accountId,
          slotId,
          sessionId,
          idempotencyKey,
          requestHash,
          to,
          type,
          sealed,
          now,
        } = item;
        message.run(messageId, accountId, slotId, sessionId, idempotencyKey, to, type, now, now);
        outbox.run(slotId, seq, messageId, sealed, now);
        key.run(accountId, idempotencyKey, requestHash, messageId, now);
      }
      writeUse(ledger);
      return results;
    };
  },
  async postgres(client, items) {
    const ledger = createLedger(await loadLookups(client, items, keysOf(items)));
    const { results, accepted } = acceptBatch(items, ledger);
    await Promise.all([writeAccepted(client, accepted), writeLedger(client, ledger)]);
    return results;
  },
};

/** Draws on a number's budget for a message that takes another way, such as a post in a channel. */
export const spendBudget: Command<SpendItem, SpendResult> = {
  name: 'messages.spend',
  sqlite(db) {
    const lookups = sqliteLookups(db);
    const writeUse = sqliteLedgerWriter(db);
    return (items) => {
      const ledger = createLedger(lookups);
      const results = items.map((item) => spend(item, ledger));
      writeUse(ledger);
      return results;
    };
  },
  async postgres(client: PgSession, items) {
    const ledger = createLedger(await loadLookups(client, items, []));
    const results = items.map((item) => spend(item, ledger));
    await writeLedger(client, ledger);
    return results;
  },
};

function keysOf(items: readonly AcceptItem[]): { accountId: string; key: string }[] {
  return items.map(({ accountId, idempotencyKey }) => ({ accountId, key: idempotencyKey }));
}

function sqliteLookups(db: SqliteSession): Lookups {
  const limits = db.prepare<SendLimitsRow>('SELECT * FROM send_limits WHERE slot_id = ?');
  const account = db.prepare<AccountLimitsRow>('SELECT * FROM account_limits WHERE account_id = ?');
  const period = db.prepare<{ quota: number; used: number }>(
    'SELECT quota, used FROM device_periods WHERE slot_id = ? AND started_at = ?',
  );
  const key = db.prepare<EarlierUse>(
    `SELECT request_hash AS requestHash, message_id AS messageId, created_at AS createdAt
     FROM idempotency_keys WHERE account_id = ? AND key = ?`,
  );
  return {
    sendLimits: (slotId) => limits.get(slotId),
    accountLimits: (accountId) => account.get(accountId),
    period: (slotId, start) => period.get(slotId, start),
    idempotencyKey: (accountId, name) => key.get(accountId, name),
  };
}

function sqliteLedgerWriter(db: SqliteSession): (ledger: BatchLedger) => void {
  const number = db.prepare(
    `INSERT INTO send_limits (slot_id, plan_full_at, session_full_at, run_length, last_sent_at, paused_until, next_seq)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (slot_id) DO UPDATE SET
       plan_full_at = excluded.plan_full_at, session_full_at = excluded.session_full_at, run_length = excluded.run_length,
       last_sent_at = excluded.last_sent_at, paused_until = excluded.paused_until, next_seq = excluded.next_seq`,
  );
  const account = db.prepare(
    `INSERT INTO account_limits (account_id, full_at) VALUES (?, ?)
     ON CONFLICT (account_id) DO UPDATE SET full_at = excluded.full_at`,
  );
  const period = db.prepare(
    `INSERT INTO device_periods (slot_id, started_at, ends_at, plan, quota, used) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (slot_id, started_at) DO UPDATE SET used = excluded.used`,
  );
  return ({ numbers, accounts, periods }) => {
    for (const [slotId, { use, nextSeq, changed }] of numbers) {
      if (!changed) continue;
      const { planFullAt, sessionFullAt, runLength, lastSentAt, pausedUntil } = use;
      number.run(slotId, planFullAt, sessionFullAt, runLength, lastSentAt, pausedUntil, nextSeq);
    }
    for (const [accountId, { use, changed }] of accounts) if (changed) account.run(accountId, use.fullAt);
    for (const { item, quota, used, changed } of periods.values()) {
      const { start, end, plan } = item.period;
      if (changed) period.run(item.slotId, start, end, plan, quota, used);
    }
  };
}
