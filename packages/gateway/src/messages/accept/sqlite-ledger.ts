import { openSqliteHealth, type SqliteHealth } from '#health/write-commands';
import type { AccountLimitsRow, RowCache, SendLimitsRow, SqliteSession } from '#platform/store';
import { type EarlierUse, keyOf, type NumberAccount, stillStands } from './batch.ts';
import {
  type AccountAccount,
  type BatchLedger,
  healthCounts,
  type Lookups,
  type PeriodAccount,
  type PeriodUse,
  periodKey,
} from './ledger.ts';

/** Rowid of a row. The next message of the number updates it, and an update by rowid takes half the time. */
interface Placed {
  readonly rowid: number;
}

type NumberRow = SendLimitsRow & Placed;
type AccountRow = AccountLimitsRow & Placed;
type PeriodRow = { used: number } & PeriodUse & Placed;

/** Reads and writes of the ledger, shared by the commands that charge a budget. */
export function openSqliteLedger(db: SqliteSession): { lookups: Lookups; write(ledger: BatchLedger): void } {
  const health = openSqliteHealth(db);
  const numbers = db.memory<NumberRow>('messages.numbers');
  const accounts = db.memory<AccountRow>('messages.accounts');
  const periods = db.memory<PeriodRow>('messages.periods');
  const number = db.prepare<NumberRow>('SELECT rowid, * FROM send_limits WHERE slot_id = ?');
  const account = db.prepare<AccountRow>('SELECT rowid, * FROM account_limits WHERE account_id = ?');
  const period = db.prepare<PeriodRow>(
    'SELECT rowid, quota, used FROM device_periods WHERE slot_id = ? AND started_at = ?',
  );
  return {
    lookups: {
      ...keyLookups(db),
      health: health.find,
      acquaintance: health.person,
      sendLimits: (slotId) => recall(numbers, slotId, () => number.get(slotId)),
      accountLimits: (accountId) => recall(accounts, accountId, () => account.get(accountId)),
      period: (slotId, start) => recall(periods, periodKey(slotId, start), () => period.get(slotId, start)),
    },
    write: ledgerWriter(db, { numbers, accounts, periods }, health),
  };
}

function keyLookups(db: SqliteSession): Pick<Lookups, 'earlier' | 'takeKey'> {
  const find = db.prepare<EarlierUse>(
    `SELECT request_hash AS requestHash, message_id AS messageId, created_at AS createdAt
     FROM idempotency_keys WHERE account_id = ? AND key = ?`,
  );
  const insert = db.prepare(
    `INSERT INTO idempotency_keys (account_id, key, request_hash, message_id, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (account_id, key) DO NOTHING`,
  );
  const takeOver = db.prepare(
    'UPDATE idempotency_keys SET request_hash = ?, message_id = ?, created_at = ? WHERE account_id = ? AND key = ?',
  );
  const earlier: Lookups['earlier'] = (item) => find.get(item.accountId, keyOf(item));
  return {
    earlier,
    // Nearly every key is new, so inserting it is also the fastest check.
    takeKey(item) {
      const { accountId, requestHash, messageId, now } = item;
      const key = keyOf(item);
      if (Number(insert.run(accountId, key, requestHash, messageId, now).changes) === 1) return undefined;
      const use = earlier(item);
      if (use && stillStands(use, item)) return use;
      takeOver.run(requestHash, messageId, now, accountId, key);
      return undefined;
    },
  };
}

interface Memories {
  readonly numbers: RowCache<NumberRow>;
  readonly accounts: RowCache<AccountRow>;
  readonly periods: RowCache<PeriodRow>;
}

function ledgerWriter(
  db: SqliteSession,
  memories: Memories,
  health: SqliteHealth,
): (ledger: BatchLedger) => void {
  const writeNumber = numberWriter(db, memories.numbers);
  const writeAccount = accountWriter(db, memories.accounts);
  const writePeriod = periodWriter(db, memories.periods);
  return (ledger) => {
    const { numbers, accounts, periods, healths } = ledger;
    for (const [slotId, number] of numbers) if (number.changed) writeNumber(slotId, number);
    for (const [accountId, account] of accounts) if (account.changed) writeAccount(accountId, account);
    for (const [key, period] of periods) if (period.changed) writePeriod(key, period);
    for (const [slotId, { row, begun }] of healths) {
      for (const [person, at] of begun)
        health.savePerson(slotId, person, { written_at: at, reached_at: null, answered_at: null });
      if (begun.size > 0 && row.quota !== null) health.save(row);
    }
    health.count(healthCounts(ledger));
  };
}

// Cached rows are changed in place: they are old, and new objects for every message would keep the garbage collector
// busy.

function numberWriter(db: SqliteSession, memory: RowCache<NumberRow>) {
  const update = db.prepare(
    `UPDATE send_limits SET plan_full_at = ?, session_full_at = ?, run_length = ?, run_since = ?, last_sent_at = ?, paused_until = ?, next_seq = ?, new_chats = ?
     WHERE rowid = ?`,
  );
  const upsert = db.prepare(
    `INSERT INTO send_limits (slot_id, plan_full_at, session_full_at, run_length, run_since, last_sent_at, paused_until, next_seq, new_chats)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (slot_id) DO UPDATE SET
       plan_full_at = excluded.plan_full_at, session_full_at = excluded.session_full_at, run_length = excluded.run_length,
       run_since = excluded.run_since, last_sent_at = excluded.last_sent_at, paused_until = excluded.paused_until, next_seq = excluded.next_seq,
       new_chats = excluded.new_chats`,
  );
  return (slotId: string, { use, nextSeq, newChats }: NumberAccount): void => {
    const { planFullAt, sessionFullAt, runLength, runSince, lastSentAt, pausedUntil } = use;
    const row = memory.get(slotId);
    if (!row) {
      upsert.run(
        slotId,
        planFullAt,
        sessionFullAt,
        runLength,
        runSince,
        lastSentAt,
        pausedUntil,
        nextSeq,
        newChats,
      );
      return;
    }
    update.run(
      planFullAt,
      sessionFullAt,
      runLength,
      runSince,
      lastSentAt,
      pausedUntil,
      nextSeq,
      newChats,
      row.rowid,
    );
    row.plan_full_at = planFullAt;
    row.session_full_at = sessionFullAt;
    row.run_length = runLength;
    row.run_since = runSince;
    row.last_sent_at = lastSentAt;
    row.paused_until = pausedUntil;
    row.next_seq = nextSeq;
    row.new_chats = newChats;
  };
}

function accountWriter(db: SqliteSession, memory: RowCache<AccountRow>) {
  const update = db.prepare('UPDATE account_limits SET full_at = ? WHERE rowid = ?');
  const upsert = db.prepare(
    `INSERT INTO account_limits (account_id, full_at) VALUES (?, ?)
     ON CONFLICT (account_id) DO UPDATE SET full_at = excluded.full_at`,
  );
  return (accountId: string, { use: { fullAt } }: AccountAccount): void => {
    const row = memory.get(accountId);
    if (!row) {
      upsert.run(accountId, fullAt);
      return;
    }
    update.run(fullAt, row.rowid);
    row.full_at = fullAt;
  };
}

function periodWriter(db: SqliteSession, memory: RowCache<PeriodRow>) {
  const update = db.prepare('UPDATE device_periods SET used = ? WHERE rowid = ?');
  const upsert = db.prepare(
    `INSERT INTO device_periods (slot_id, started_at, ends_at, plan, quota, used) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (slot_id, started_at) DO UPDATE SET used = excluded.used`,
  );
  return (key: string, { item, quota, used }: PeriodAccount): void => {
    const row = memory.get(key);
    if (!row) {
      const { start, end, plan } = item.period;
      upsert.run(item.slotId, start, end, plan, quota, used);
      return;
    }
    update.run(used, row.rowid);
    row.used = used;
  };
}

/** Missing rows are not cached: the next batch may have inserted them. */
function recall<Row>(memory: RowCache<Row>, key: string, read: () => Row | undefined): Row | undefined {
  const known = memory.get(key);
  if (known) return known;
  const row = read();
  // As a copy: SQLite's object is a dictionary, and every later read of it would be a search.
  if (row) memory.set(key, { ...row });
  return row;
}
