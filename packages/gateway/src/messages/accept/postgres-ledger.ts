import { type Acquaintance, beginInPostgres, countInPostgres } from '#health/write-commands';
import type { AccountLimitsRow, NumberHealthRow, PgSession, PgStatement, SendLimitsRow } from '#store';
import { type Accepted, type EarlierUse, keyOf, type SpendItem } from './batch.ts';
import { type BatchLedger, healthCounts, type Lookups, type PeriodUse, periodKey } from './ledger.ts';

/** Everything that is known about one item; each part is null where there is nothing. */
interface ItemRow extends Nullable<SendLimitsRow>, Nullable<PeriodUse>, Nullable<EarlierUse> {
  /** Of the item, counted from one. */
  readonly place: number;
  readonly health: NumberHealthRow | null;
  readonly acquaintance: Acquaintance | null;
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

/**
 * Reads what a batch will judge. The lock of an account stands for all that belongs to it: its numbers, their periods and its idempotency
 * keys. All processes take these locks in the same order, so that none waits for one that waits for it.
 */
export async function loadLookups(
  client: PgSession,
  items: readonly (SpendItem & { readonly idempotencyKey?: string; readonly to?: string })[],
): Promise<Lookups> {
  const accountIds = [...new Set(items.map(({ accountId }) => accountId))].sort();
  const columns = [
    items.map(({ accountId }) => accountId),
    items.map(({ slotId }) => slotId),
    items.map(({ period }) => period.start),
    items.map(({ slotId, idempotencyKey }) =>
      idempotencyKey === undefined ? null : keyOf({ slotId, idempotencyKey }),
    ),
    items.map(({ to }) => to ?? null),
  ];
  const lockAndRead = () =>
    Promise.all([
      client.look<AccountLimitsRow>(STATEMENTS.lockAccounts, [accountIds]),
      client.look<ItemRow>(STATEMENTS.read, columns),
    ]);
  let [{ rows: accounts }, { rows }] = await lockAndRead();
  if (accounts.length < accountIds.length) {
    // An account that has never sent has no row yet that could be locked.
    await client.query(STATEMENTS.makeAccounts, [accountIds]);
    [{ rows: accounts }, { rows }] = await lockAndRead();
  }

  const account = new Map(accounts.map((row) => [row.account_id, row]));
  const number = new Map<string, SendLimitsRow>();
  const period = new Map<string, PeriodUse>();
  const key = new Map<string, EarlierUse>();
  const health = new Map<string, NumberHealthRow>();
  const acquaintance = new Map<string, Acquaintance>();
  for (const row of rows) {
    const item = items[row.place - 1];
    if (!item) continue;
    const { slotId, idempotencyKey = '' } = item;
    if (has<SendLimitsRow>(row, 'slot_id')) number.set(slotId, row);
    if (has<PeriodUse>(row, 'quota')) period.set(periodKey(slotId, item.period.start), row);
    if (row.health) health.set(slotId, row.health);
    if (row.acquaintance) acquaintance.set(`${slotId} ${item.to}`, row.acquaintance);
    if (has<EarlierUse>(row, 'messageId')) key.set(keyOf({ slotId, idempotencyKey }), row);
  }
  const earlier: Lookups['earlier'] = (item) => key.get(keyOf(item));
  return {
    accountLimits: (accountId) => account.get(accountId),
    sendLimits: (slotId) => number.get(slotId),
    period: (slotId, start) => period.get(periodKey(slotId, start)),
    health: (slotId) => health.get(slotId),
    acquaintance: (slotId, person) => acquaintance.get(`${slotId} ${person}`),
    earlier,
    // Written with all others of the batch.
    takeKey: earlier,
  };
}

/** A part is there as a whole or not at all. */
function has<Part>(row: Nullable<Part>, column: keyof Part): row is Nullable<Part> & Part {
  return row[column] !== null;
}

/** Writes what a batch has changed, in one statement: each way to the server and back costs more than the rows that it carries. */
export function writeBatch(client: PgSession, ledger: BatchLedger, accepted: readonly Accepted[] = []): void {
  beginInPostgres(
    client,
    [...ledger.healths.values()].flatMap(({ row, begun }) => (begun.size > 0 ? [{ row, begun }] : [])),
  );
  countInPostgres(client, healthCounts(ledger));
  const numbers = [...ledger.numbers].filter(([, { changed }]) => changed);
  if (numbers.length === 0) return;
  const accounts = [...ledger.accounts].filter(([, { changed }]) => changed);
  const periods = [...ledger.periods.values()].filter(({ changed }) => changed);
  const needy = accepted.filter(({ item }) => item.mediaId !== null);
  if (needy.length > 0) {
    client.send(STATEMENTS.pin, [
      needy.map(({ item }) => item.mediaId),
      needy.map(({ item }) => item.slotId),
      needy.map(({ seq }) => seq),
    ]);
  }
  const sealed = inOnePiece(accepted.map(({ item }) => item.sealed));
  const hashes = inOnePiece(accepted.map(({ item }) => item.requestHash));
  client.send(STATEMENTS.write, [
    accepted.map(({ item }) => item.messageId),
    accepted.map(({ item }) => item.accountId),
    accepted.map(({ item }) => item.slotId),
    accepted.map(({ item }) => item.sessionId),
    accepted.map(({ item }) => item.idempotencyKey),
    accepted.map(({ item }) => item.to),
    accepted.map(({ item }) => item.type),
    accepted.map(({ item }) => item.now),
    accepted.map(({ seq }) => seq),
    sealed.from,
    sealed.size,
    hashes.from,
    hashes.size,
    sealed.bytes,
    hashes.bytes,
    numbers.map(([slotId]) => slotId),
    numbers.map(([, { use }]) => use.planFullAt),
    numbers.map(([, { use }]) => use.sessionFullAt),
    numbers.map(([, { use }]) => use.runLength),
    numbers.map(([, { use }]) => use.runSince),
    numbers.map(([, { use }]) => use.lastSentAt),
    numbers.map(([, { use }]) => use.pausedUntil),
    numbers.map(([, { nextSeq }]) => nextSeq),
    numbers.map(([, { newChats }]) => newChats),
    accounts.map(([accountId]) => accountId),
    accounts.map(([, { use }]) => use.fullAt),
    periods.map(({ item }) => item.slotId),
    periods.map(({ item }) => item.period.start),
    periods.map(({ item }) => item.period.end),
    periods.map(({ item }) => item.period.plan),
    periods.map(({ quota }) => quota),
    periods.map(({ used }) => used),
  ]);
}

/** In an array, bytes would travel as text of twice their length. */
function inOnePiece(pieces: readonly Uint8Array[]): { bytes: Buffer; from: number[]; size: number[] } {
  let next = 1;
  const from = pieces.map(({ length }) => {
    next += length;
    return next - length;
  });
  return { bytes: Buffer.concat(pieces), from, size: pieces.map(({ length }) => length) };
}

const STATEMENTS = {
  makeAccounts: {
    name: 'messages.make_accounts',
    text: `INSERT INTO account_limits (account_id, full_at) SELECT a, 0 FROM unnest($1::text[]) AS a ORDER BY a
           ON CONFLICT DO NOTHING`,
  },
  pin: {
    name: 'messages.pin_media',
    text: 'INSERT INTO media_pins (media_id, slot_id, seq) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])',
  },
  lockAccounts: {
    name: 'messages.lock_accounts',
    text: 'SELECT account_id, full_at FROM account_limits WHERE account_id = ANY($1::text[]) ORDER BY account_id FOR UPDATE',
  },
  read: {
    name: 'messages.read',
    text: `SELECT i.place, n.*, p.quota, p.used, to_json(h) AS health, to_json(w) AS acquaintance,
             k.request_hash AS "requestHash", k.message_id AS "messageId", k.created_at AS "createdAt"
           FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[]) WITH ORDINALITY AS i(account_id, slot_id, period_start, key, person, place)
           LEFT JOIN send_limits n ON n.slot_id = i.slot_id
           LEFT JOIN device_periods p ON p.slot_id = i.slot_id AND p.started_at = i.period_start
           LEFT JOIN idempotency_keys k ON k.account_id = i.account_id AND k.key = i.key
           LEFT JOIN number_health h ON h.slot_id = i.slot_id
           LEFT JOIN known_people w ON w.slot_id = i.slot_id AND w.person = i.person`,
  },
  write: {
    name: 'messages.write',
    text: `WITH accepted AS (
             SELECT a.*, substring($14::bytea FROM sealed_from FOR sealed_size) AS sealed,
                    substring($15::bytea FROM hash_from FOR hash_size) AS request_hash
             FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[],
                         $9::bigint[], $10::int[], $11::int[], $12::int[], $13::int[])
               AS a(id, account_id, slot_id, session_id, key, to_jid, type, at, seq, sealed_from, sealed_size, hash_from, hash_size)),
           new_messages AS (
             INSERT INTO messages (id, account_id, slot_id, session_id, request_id, to_jid, type, status, accepted_at, updated_at)
             SELECT id, account_id, slot_id, session_id, key, to_jid, type, 'accepted', at, at FROM accepted),
           queued AS (
             INSERT INTO outbox (slot_id, seq, message_id, sealed, attempts, due_at)
             SELECT slot_id, seq, id, sealed, 0, at FROM accepted),
           used_keys AS (
             INSERT INTO idempotency_keys (account_id, key, request_hash, message_id, created_at)
             SELECT account_id, slot_id || ' ' || key, request_hash, id, at FROM accepted
             ON CONFLICT (account_id, key) DO UPDATE SET
               request_hash = excluded.request_hash, message_id = excluded.message_id, created_at = excluded.created_at),
           numbers AS (
             INSERT INTO send_limits (slot_id, plan_full_at, session_full_at, run_length, run_since, last_sent_at, paused_until, next_seq, new_chats)
             SELECT * FROM unnest($16::text[], $17::float8[], $18::float8[], $19::bigint[], $20::bigint[], $21::bigint[], $22::bigint[], $23::bigint[], $24::text[])
             ON CONFLICT (slot_id) DO UPDATE SET plan_full_at = excluded.plan_full_at, session_full_at = excluded.session_full_at,
               run_length = excluded.run_length, run_since = excluded.run_since, last_sent_at = excluded.last_sent_at, paused_until = excluded.paused_until,
               next_seq = excluded.next_seq, new_chats = excluded.new_chats),
           accounts AS (
             UPDATE account_limits l SET full_at = u.full_at
             FROM unnest($25::text[], $26::float8[]) AS u(account_id, full_at) WHERE l.account_id = u.account_id)
           INSERT INTO device_periods (slot_id, started_at, ends_at, plan, quota, used)
           SELECT * FROM unnest($27::text[], $28::bigint[], $29::bigint[], $30::text[], $31::bigint[], $32::bigint[])
           ON CONFLICT (slot_id, started_at) DO UPDATE SET used = excluded.used`,
  },
} as const satisfies Record<string, PgStatement>;
