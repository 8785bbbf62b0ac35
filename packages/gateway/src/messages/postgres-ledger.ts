import type { AccountLimitsRow, PgSession, PgStatement, SendLimitsRow } from '#store';
import type { Accepted, EarlierUse, SpendItem } from './accept-batch.ts';
import type { BatchLedger, Lookups } from './ledger.ts';

interface PeriodUse {
  slot_id: string;
  started_at: number;
  quota: number;
  used: number;
}

interface KeyUse extends EarlierUse {
  readonly accountId: string;
  readonly key: string;
}

/**
 * Locks and reads what a batch will judge, in an order that all processes share: accounts, numbers, periods, each sorted. Whoever holds an
 * account's lock also decides about its idempotency keys, which are read last.
 */
export async function loadLookups(
  client: PgSession,
  items: readonly SpendItem[],
  keys: readonly { accountId: string; key: string }[],
): Promise<Lookups> {
  const accountIds = sorted(items.map(({ accountId }) => accountId));
  const slotIds = sorted(items.map(({ slotId }) => slotId));
  const periods = new Map(items.map((item) => [periodKey(item.slotId, item.period.start), item]));
  const inOrder = [...periods.keys()].sort().flatMap((key) => periods.get(key) ?? []);

  const { makeAccounts, lockAccounts, makeNumbers, lockNumbers } = STATEMENTS;
  const accounts = await lockAll<AccountLimitsRow>(client, accountIds, lockAccounts, makeAccounts);
  const numbers = await lockAll<SendLimitsRow>(client, slotIds, lockNumbers, makeNumbers);
  const bySlotAndStart = [inOrder.map(({ slotId }) => slotId), inOrder.map(({ period }) => period.start)];
  const found = await client.query<PeriodUse>(STATEMENTS.lockPeriods, bySlotAndStart);
  const used = await readKeys(client, keys);

  const account = new Map(accounts.map((row) => [row.account_id, row]));
  const number = new Map(numbers.map((row) => [row.slot_id, row]));
  const period = new Map(found.rows.map((row) => [periodKey(row.slot_id, row.started_at), row]));
  return {
    accountLimits: (accountId) => account.get(accountId),
    sendLimits: (slotId) => number.get(slotId),
    period: (slotId, start) => period.get(periodKey(slotId, start)),
    idempotencyKey: (accountId, key) => used.get(`${accountId}\n${key}`),
  };
}

/** One that is used for the first time has no row yet that could be locked. */
async function lockAll<Row>(
  client: PgSession,
  ids: readonly string[],
  lock: PgStatement,
  make: PgStatement,
): Promise<Row[]> {
  const found = await client.query<Row>(lock, [ids]);
  if (found.rows.length === ids.length) return found.rows;
  await client.query(make, [ids]);
  return (await client.query<Row>(lock, [ids])).rows;
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
  await client.query(STATEMENTS.insertMessages, [
    id,
    account,
    slot,
    column(({ item }) => item.sessionId),
    key,
    column(({ item }) => item.to),
    column(({ item }) => item.type),
    now,
  ]);
  await client.query(STATEMENTS.insertOutbox, [
    slot,
    column(({ seq }) => seq),
    id,
    column(({ item }) => asBuffer(item.sealed)),
    now,
  ]);
  const hash = column(({ item }) => asBuffer(item.requestHash));
  await client.query(STATEMENTS.insertKeys, [account, key, hash, id, now]);
}

export async function writeLedger(client: PgSession, ledger: BatchLedger): Promise<void> {
  const numbers = [...ledger.numbers].filter(([, { changed }]) => changed);
  if (numbers.length === 0) return;
  await client.query(STATEMENTS.updateNumbers, [
    numbers.map(([slotId]) => slotId),
    numbers.map(([, { use }]) => use.planFullAt),
    numbers.map(([, { use }]) => use.sessionFullAt),
    numbers.map(([, { use }]) => use.runLength),
    numbers.map(([, { use }]) => use.lastSentAt),
    numbers.map(([, { use }]) => use.pausedUntil),
    numbers.map(([, { nextSeq }]) => nextSeq),
  ]);
  const accounts = [...ledger.accounts].filter(([, { changed }]) => changed);
  await client.query(STATEMENTS.updateAccounts, [
    accounts.map(([accountId]) => accountId),
    accounts.map(([, { use }]) => use.fullAt),
  ]);
  const periods = [...ledger.periods.values()].filter(({ changed }) => changed);
  await client.query(STATEMENTS.writePeriods, [
    periods.map(({ item }) => item.slotId),
    periods.map(({ item }) => item.period.start),
    periods.map(({ item }) => item.period.end),
    periods.map(({ item }) => item.period.plan),
    periods.map(({ quota }) => quota),
    periods.map(({ used }) => used),
  ]);
}

function sorted(ids: readonly string[]): string[] {
  return [...new Set(ids)].sort();
}

function periodKey(slotId: string, start: number): string {
  return `${slotId} ${start}`;
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
  makeNumbers: {
    name: 'messages.make_numbers',
    text: `INSERT INTO send_limits (slot_id, plan_full_at, session_full_at, run_length, last_sent_at, paused_until, next_seq)
           SELECT s, 0, 0, 0, 0, 0, 1 FROM unnest($1::text[]) AS s ORDER BY s ON CONFLICT DO NOTHING`,
  },
  lockNumbers: {
    name: 'messages.lock_numbers',
    text: 'SELECT * FROM send_limits WHERE slot_id = ANY($1::text[]) ORDER BY slot_id FOR UPDATE',
  },
  lockPeriods: {
    name: 'messages.lock_periods',
    text: `SELECT p.slot_id, p.started_at, p.quota, p.used FROM device_periods p
           JOIN unnest($1::text[], $2::bigint[]) AS w(slot_id, started_at)
             ON p.slot_id = w.slot_id AND p.started_at = w.started_at
           ORDER BY p.slot_id, p.started_at FOR UPDATE OF p`,
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
  updateNumbers: {
    name: 'messages.update_numbers',
    text: `UPDATE send_limits l SET plan_full_at = u.plan_full_at, session_full_at = u.session_full_at, run_length = u.run_length,
             last_sent_at = u.last_sent_at, paused_until = u.paused_until, next_seq = u.next_seq
           FROM unnest($1::text[], $2::float8[], $3::float8[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
             AS u(slot_id, plan_full_at, session_full_at, run_length, last_sent_at, paused_until, next_seq)
           WHERE l.slot_id = u.slot_id`,
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
