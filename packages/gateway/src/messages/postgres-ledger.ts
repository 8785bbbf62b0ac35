import type { AccountLimitsRow, PgSession, PgStatement, SendLimitsRow } from '#store';
import type { Accepted, EarlierUse, SpendItem } from './accept-batch.ts';
import { type BatchLedger, type Lookups, type PeriodUse, periodKey } from './ledger.ts';

interface PeriodRow extends PeriodUse {
  readonly slot_id: string;
  readonly started_at: number;
}

interface KeyUse extends EarlierUse {
  readonly accountId: string;
  readonly key: string;
}

/**
 * Reads what a batch will judge. The lock of an account stands for all that belongs to it: its numbers, their periods and its idempotency
 * keys. All processes take these locks in the same order, so that none waits for one that waits for it.
 */
export async function loadLookups(
  client: PgSession,
  items: readonly SpendItem[],
  keys: readonly { accountId: string; key: string }[],
): Promise<Lookups> {
  const accounts = await lockAccounts(client, sorted(items.map(({ accountId }) => accountId)));
  const slotIds = sorted(items.map(({ slotId }) => slotId));
  const starts = [...new Set(items.map(({ period }) => period.start))];
  const [numbers, periods, used] = await Promise.all([
    client.query<SendLimitsRow>(STATEMENTS.readNumbers, [slotIds]),
    client.query<PeriodRow>(STATEMENTS.readPeriods, [slotIds, starts]),
    readKeys(client, keys),
  ]);

  const earlier: Lookups['earlier'] = ({ accountId, idempotencyKey }) =>
    used.get(`${accountId}\n${idempotencyKey}`);
  const account = new Map(accounts.map((row) => [row.account_id, row]));
  const number = new Map(numbers.rows.map((row) => [row.slot_id, row]));
  const period = new Map(periods.rows.map((row) => [periodKey(row.slot_id, row.started_at), row]));
  return {
    accountLimits: (accountId) => account.get(accountId),
    sendLimits: (slotId) => number.get(slotId),
    period: (slotId, start) => period.get(periodKey(slotId, start)),
    earlier,
    // Written with all others of the batch.
    takeKey: earlier,
  };
}

async function lockAccounts(client: PgSession, ids: readonly string[]): Promise<AccountLimitsRow[]> {
  const { makeAccounts, lockAccounts: lock } = STATEMENTS;
  const found = await client.query<AccountLimitsRow>(lock, [ids]);
  if (found.rows.length === ids.length) return found.rows;
  // An account that has never sent has no row yet that could be locked.
  await client.query(makeAccounts, [ids]);
  return (await client.query<AccountLimitsRow>(lock, [ids])).rows;
}

async function readKeys(
  client: PgSession,
  keys: readonly { accountId: string; key: string }[],
): Promise<Map<string, KeyUse>> {
  if (keys.length === 0) return new Map();
  const columns = [keys.map(({ accountId }) => accountId), keys.map(({ key }) => key)];
  const { rows } = await client.query<KeyUse>(STATEMENTS.readKeys, columns);
  return new Map(rows.map((row) => [`${row.accountId}\n${row.key}`, row]));
}

export async function writeAccepted(client: PgSession, accepted: readonly Accepted[]): Promise<void> {
  if (accepted.length === 0) return;
  const column = <T>(pick: (each: Accepted) => T): T[] => accepted.map(pick);
  const id = column(({ item }) => item.messageId);
  const account = column(({ item }) => item.accountId);
  const slot = column(({ item }) => item.slotId);
  const key = column(({ item }) => item.idempotencyKey);
  const now = column(({ item }) => item.now);
  const messages = client.query(STATEMENTS.insertMessages, [
    id,
    account,
    slot,
    column(({ item }) => item.sessionId),
    key,
    column(({ item }) => item.to),
    column(({ item }) => item.type),
    now,
  ]);
  const outbox = client.query(STATEMENTS.insertOutbox, [
    slot,
    column(({ seq }) => seq),
    id,
    column(({ item }) => asBuffer(item.sealed)),
    now,
  ]);
  const hash = column(({ item }) => asBuffer(item.requestHash));
  const keys = client.query(STATEMENTS.insertKeys, [account, key, hash, id, now]);
  await Promise.all([messages, outbox, keys]);
}

export async function writeLedger(client: PgSession, ledger: BatchLedger): Promise<void> {
  const numbers = [...ledger.numbers].filter(([, { changed }]) => changed);
  if (numbers.length === 0) return;
  const writtenNumbers = client.query(STATEMENTS.writeNumbers, [
    numbers.map(([slotId]) => slotId),
    numbers.map(([, { use }]) => use.planFullAt),
    numbers.map(([, { use }]) => use.sessionFullAt),
    numbers.map(([, { use }]) => use.runLength),
    numbers.map(([, { use }]) => use.lastSentAt),
    numbers.map(([, { use }]) => use.pausedUntil),
    numbers.map(([, { nextSeq }]) => nextSeq),
  ]);
  const accounts = [...ledger.accounts].filter(([, { changed }]) => changed);
  const writtenAccounts = client.query(STATEMENTS.updateAccounts, [
    accounts.map(([accountId]) => accountId),
    accounts.map(([, { use }]) => use.fullAt),
  ]);
  const periods = [...ledger.periods.values()].filter(({ changed }) => changed);
  const writtenPeriods = client.query(STATEMENTS.writePeriods, [
    periods.map(({ item }) => item.slotId),
    periods.map(({ item }) => item.period.start),
    periods.map(({ item }) => item.period.end),
    periods.map(({ item }) => item.period.plan),
    periods.map(({ quota }) => quota),
    periods.map(({ used }) => used),
  ]);
  await Promise.all([writtenNumbers, writtenAccounts, writtenPeriods]);
}

function sorted(ids: readonly string[]): string[] {
  return [...new Set(ids)].sort();
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const STATEMENTS = {
  makeAccounts: {
    name: 'messages.make_accounts',
    text: `INSERT INTO account_limits (account_id, full_at) SELECT a, 0 FROM unnest($1::text[]) AS a ORDER BY a
           ON CONFLICT DO NOTHING`,
  },
  lockAccounts: {
    name: 'messages.lock_accounts',
    text: 'SELECT account_id, full_at FROM account_limits WHERE account_id = ANY($1::text[]) ORDER BY account_id FOR UPDATE',
  },
  readNumbers: {
    name: 'messages.read_numbers',
    text: 'SELECT * FROM send_limits WHERE slot_id = ANY($1::text[])',
  },
  readPeriods: {
    name: 'messages.read_periods',
    text: `SELECT slot_id, started_at, quota, used FROM device_periods
           WHERE slot_id = ANY($1::text[]) AND started_at = ANY($2::bigint[])`,
  },
  readKeys: {
    name: 'messages.read_keys',
    text: `SELECT k.account_id AS "accountId", k.key, k.request_hash AS "requestHash", k.message_id AS "messageId",
             k.created_at AS "createdAt"
           FROM idempotency_keys k JOIN unnest($1::text[], $2::text[]) AS w(account_id, key)
             ON k.account_id = w.account_id AND k.key = w.key`,
  },
  insertMessages: {
    name: 'messages.insert',
    text: `INSERT INTO messages (id, account_id, slot_id, session_id, request_id, to_jid, type, status, accepted_at, updated_at)
           SELECT id, account_id, slot_id, session_id, request_id, to_jid, type, 'accepted', at, at
           FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[])
             AS m(id, account_id, slot_id, session_id, request_id, to_jid, type, at)`,
  },
  insertOutbox: {
    name: 'messages.insert_outbox',
    text: `INSERT INTO outbox (slot_id, seq, message_id, sealed, attempts, due_at)
           SELECT slot_id, seq, message_id, sealed, 0, at
           FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bytea[], $5::bigint[]) AS o(slot_id, seq, message_id, sealed, at)`,
  },
  insertKeys: {
    name: 'messages.insert_keys',
    text: `INSERT INTO idempotency_keys (account_id, key, request_hash, message_id, created_at)
           SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::text[], $5::bigint[])
           ON CONFLICT (account_id, key) DO UPDATE SET
             request_hash = excluded.request_hash, message_id = excluded.message_id, created_at = excluded.created_at`,
  },
  writeNumbers: {
    name: 'messages.write_numbers',
    text: `INSERT INTO send_limits (slot_id, plan_full_at, session_full_at, run_length, last_sent_at, paused_until, next_seq)
           SELECT * FROM unnest($1::text[], $2::float8[], $3::float8[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
           ON CONFLICT (slot_id) DO UPDATE SET plan_full_at = excluded.plan_full_at, session_full_at = excluded.session_full_at,
             run_length = excluded.run_length, last_sent_at = excluded.last_sent_at, paused_until = excluded.paused_until,
             next_seq = excluded.next_seq`,
  },
  updateAccounts: {
    name: 'messages.update_accounts',
    text: `UPDATE account_limits l SET full_at = u.full_at
           FROM unnest($1::text[], $2::float8[]) AS u(account_id, full_at) WHERE l.account_id = u.account_id`,
  },
  writePeriods: {
    name: 'messages.write_periods',
    text: `INSERT INTO device_periods (slot_id, started_at, ends_at, plan, quota, used)
           SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[])
           ON CONFLICT (slot_id, started_at) DO UPDATE SET used = excluded.used`,
  },
} as const satisfies Record<string, PgStatement>;
