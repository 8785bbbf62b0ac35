import { beginInPostgres, type ContactHistory, countInPostgres } from '#health/write-commands';
import type {
  AccountLimitsRow,
  NumberHealthRow,
  PgSession,
  PgStatement,
  SendLimitsRow,
} from '#platform/store';
import { sendBatch } from '#platform/store/batch';
import { type Accepted, type EarlierUse, keyOf } from './batch.ts';
import { type BatchLedger, healthCounts, type Lookups, type PeriodUse, periodKey } from './ledger.ts';
import {
  BATCHES,
  type LookupItem,
  toAcceptedRows,
  toLookup,
  toNumberRow,
  toPeriodRow,
  toPinRow,
} from './postgres-rows.ts';

/** All stored state for one item; each part is null where there is none. */
interface ItemRow extends Nullable<SendLimitsRow>, Nullable<PeriodUse>, Nullable<EarlierUse> {
  /** Position of the item, counted from one. */
  readonly place: number;
  readonly health: NumberHealthRow | null;
  readonly acquaintance: ContactHistory | null;
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

/**
 * Reads the rows of a batch. The lock of an account covers everything that belongs to it: its numbers, their periods
 * and its idempotency keys. All processes take these locks in the same order, so no deadlock is possible.
 */
export async function loadLookups(client: PgSession, items: readonly LookupItem[]): Promise<Lookups> {
  const accountIds = [...new Set(items.map(({ accountId }) => accountId))].sort();
  const lookups = BATCHES.lookups.arrays(items.map(toLookup));
  const lockAndRead = () =>
    Promise.all([
      client.look<AccountLimitsRow>(STATEMENTS.lockAccounts, [accountIds]),
      client.look<ItemRow>(STATEMENTS.read, lookups),
    ]);
  let [{ rows: accounts }, { rows }] = await lockAndRead();
  if (accounts.length < accountIds.length) {
    // An account that has never sent has no row to lock yet.
    await client.query(STATEMENTS.makeAccounts, [accountIds]);
    [{ rows: accounts }, { rows }] = await lockAndRead();
  }

  const account = new Map(accounts.map((row) => [row.account_id, row]));
  const number = new Map<string, SendLimitsRow>();
  const period = new Map<string, PeriodUse>();
  const key = new Map<string, EarlierUse>();
  const health = new Map<string, NumberHealthRow>();
  const acquaintance = new Map<string, ContactHistory>();
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

/** A part is present as a whole or not at all. */
function has<Part>(row: Nullable<Part>, column: keyof Part): row is Nullable<Part> & Part {
  return row[column] !== null;
}

/** Writes the changes of a batch in one statement: each round trip costs more than the rows that it carries. */
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
  const pins = accepted.filter(({ item }) => item.mediaId !== null).map(toPinRow);
  sendBatch(client, STATEMENTS.pin, BATCHES.pins, pins);
  const { rows, sealed, hashes } = toAcceptedRows(accepted);
  client.send(STATEMENTS.write, [
    sealed,
    hashes,
    ...BATCHES.accepted.arrays(rows),
    ...BATCHES.numbers.arrays(numbers.map(toNumberRow)),
    ...BATCHES.accounts.arrays(accounts.map(([accountId, { use }]) => ({ accountId, fullAt: use.fullAt }))),
    ...BATCHES.periods.arrays(periods.map(toPeriodRow)),
  ]);
}

const { lookups, accepted, numbers, accounts, periods, pins } = BATCHES;
const BYTES = 2;
const BEFORE_NUMBERS = BYTES + accepted.size;
const BEFORE_ACCOUNTS = BEFORE_NUMBERS + numbers.size;
const BEFORE_PERIODS = BEFORE_ACCOUNTS + accounts.size;

const STATEMENTS = {
  makeAccounts: {
    name: 'messages.make_accounts',
    text: `INSERT INTO account_limits (account_id, full_at) SELECT a, 0 FROM unnest($1::text[]) AS a ORDER BY a
           ON CONFLICT DO NOTHING`,
  },
  pin: {
    name: 'messages.pin_media',
    text: `INSERT INTO media_pins (${pins.columns}) SELECT ${pins.columns} FROM ${pins.relation('d')}`,
  },
  lockAccounts: {
    name: 'messages.lock_accounts',
    text: 'SELECT account_id, full_at FROM account_limits WHERE account_id = ANY($1::text[]) ORDER BY account_id FOR UPDATE',
  },
  read: {
    name: 'messages.read',
    text: `SELECT i.place, n.*, p.quota, p.used, to_json(h) AS health, to_json(w) AS acquaintance,
             k.request_hash AS "requestHash", k.message_id AS "messageId", k.created_at AS "createdAt"
           FROM ${lookups.relation('i')}
           LEFT JOIN send_limits n ON n.slot_id = i.slot_id
           LEFT JOIN device_periods p ON p.slot_id = i.slot_id AND p.started_at = i.period_start
           LEFT JOIN idempotency_keys k ON k.account_id = i.account_id AND k.key = i.key
           LEFT JOIN number_health h ON h.slot_id = i.slot_id
           LEFT JOIN known_people w ON w.slot_id = i.slot_id AND w.person = i.person`,
  },
  write: {
    name: 'messages.write',
    text: `WITH accepted AS (
             SELECT a.*, substring($1::bytea FROM sealed_from FOR sealed_size) AS sealed,
                    substring($2::bytea FROM hash_from FOR hash_size) AS request_hash
             FROM ${accepted.relation('a', BYTES)}),
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
             INSERT INTO send_limits (${numbers.columns})
             SELECT ${numbers.columns} FROM ${numbers.relation('n', BEFORE_NUMBERS)}
             ON CONFLICT (slot_id) DO UPDATE SET plan_full_at = excluded.plan_full_at, session_full_at = excluded.session_full_at,
               run_length = excluded.run_length, run_since = excluded.run_since, last_sent_at = excluded.last_sent_at, paused_until = excluded.paused_until,
               next_seq = excluded.next_seq, new_chats = excluded.new_chats),
           accounts AS (
             UPDATE account_limits l SET full_at = u.full_at
             FROM ${accounts.relation('u', BEFORE_ACCOUNTS)} WHERE l.account_id = u.account_id)
           INSERT INTO device_periods (${periods.columns})
           SELECT ${periods.columns} FROM ${periods.relation('p', BEFORE_PERIODS)}
           ON CONFLICT (slot_id, started_at) DO UPDATE SET used = excluded.used`,
  },
} as const satisfies Record<string, PgStatement>;
