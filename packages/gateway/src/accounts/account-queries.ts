import { sql } from 'kysely';
import { apiError, type PageChoice, rowsToRead } from '#kernel';
import type { AccountRow, ApiKeyRow, Store, Writer } from '#platform/store';
import { CHANGE_LOCK } from './write-commands.ts';

/** The database as a transaction sees it, or as everybody does. */
export type Queries = Pick<Writer, 'selectFrom'>;

/**
 * Runs a change that is recorded in the audit log, one at a time across all processes. So what a change looks up before it
 * writes (is this email free? is this the first number?) still holds when it writes, and the numbers of the audit log are
 * committed in order. SQLite needs no lock, because it has one writer.
 */
export function auditedTransaction<T>(store: Store, work: (trx: Writer) => Promise<T>): Promise<T> {
  return store.transaction(async (trx) => {
    if (store.dialect === 'postgres') await sql`select pg_advisory_xact_lock(${CHANGE_LOCK})`.execute(trx);
    return work(trx);
  });
}

export function findAccountIfAny(db: Queries, accountId: string): Promise<AccountRow | undefined> {
  return db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', accountId)
    .where('erased_at', 'is', null)
    .executeTakeFirst();
}

export async function findAccount(db: Queries, accountId: string): Promise<AccountRow> {
  const row = await findAccountIfAny(db, accountId);
  if (!row) throw apiError('account_not_found');
  return row;
}

export function findAccountByEmail(db: Queries, email: string): Promise<AccountRow | undefined> {
  return db.selectFrom('accounts').selectAll().where('email', '=', email.toLowerCase()).executeTakeFirst();
}

export function accountRows(db: Queries, page: PageChoice): Promise<AccountRow[]> {
  let query = db.selectFrom('accounts').selectAll().where('erased_at', 'is', null).orderBy('id');
  if (page.cursor !== undefined) query = query.where('id', '>', page.cursor);
  return query.limit(rowsToRead(page)).execute();
}

export async function accountsById(
  db: Queries,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AccountRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', 'in', ids)
    .where('erased_at', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function hasAccounts(db: Queries): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export async function insertAccount(trx: Writer, row: AccountRow): Promise<void> {
  await trx.insertInto('accounts').values(row).execute();
}

export async function updateAccount(trx: Writer, id: string, change: Partial<AccountRow>): Promise<void> {
  await trx.updateTable('accounts').set(change).where('id', '=', id).execute();
}

/** Whether it is to be deleted. */
export async function isEnding(db: Queries, accountId: string): Promise<boolean> {
  const deletion = db.selectFrom('account_deletions').select('due_at').where('account_id', '=', accountId);
  return (await deletion.executeTakeFirst()) !== undefined;
}

/** Unless it was revoked. */
export function findKey(read: Queries, keyId: string): Promise<ApiKeyRow | undefined> {
  return read
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
}

/** Also those that have ended. */
export function keyRows(read: Queries, accountId: string, page: PageChoice): Promise<ApiKeyRow[]> {
  let query = read.selectFrom('api_keys').selectAll().where('account_id', '=', accountId).orderBy('id');
  if (page.cursor !== undefined) query = query.where('id', '>', page.cursor);
  return query.limit(rowsToRead(page)).execute();
}

/** Those that open something at the moment. */
export function liveKeys(
  read: Queries,
  { accountId, now, page }: { accountId: string; now: number; page?: PageChoice },
): Promise<ApiKeyRow[]> {
  let query = read
    .selectFrom('api_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .orderBy('id');
  if (page?.cursor !== undefined) query = query.where('id', '>', page.cursor);
  if (page) query = query.limit(rowsToRead(page));
  return query.execute();
}

export async function insertKey(trx: Writer, row: ApiKeyRow): Promise<void> {
  await trx.insertInto('api_keys').values(row).execute();
}

/** One that ends sooner anyway stays as it is. */
export async function endNoLaterThan(
  trx: Writer,
  { accountId, keyId, at }: { accountId: string; keyId: string; at: number },
): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set({ expires_at: at })
    .where('id', '=', keyId)
    .where('account_id', '=', accountId)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', at)]))
    .execute();
}

/** False when the account has no such key, or it was revoked before. */
export async function markRevoked(
  trx: Writer,
  { accountId, keyId, now }: { accountId: string; keyId: string; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', keyId)
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Also those that were revoked: what comes from them may not be. */
export function keysMadeBy(
  db: Queries,
  accountId: string,
  parentKeyId: string,
): Promise<Pick<ApiKeyRow, 'id'>[]> {
  return db
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .where('parent_key_id', '=', parentKeyId)
    .execute();
}

export function keysBelongingTo(
  db: Queries,
  accountId: string,
  belongsTo: string,
): Promise<Pick<ApiKeyRow, 'id'>[]> {
  return db
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .where('belongs_to', '=', belongsTo)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Keys that one key has made come from another from now on. */
export async function giveToParent(
  trx: Writer,
  { accountId, from, to }: { accountId: string; from: string; to: string },
): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set({ parent_key_id: to })
    .where('account_id', '=', accountId)
    .where('parent_key_id', '=', from)
    .execute();
}

/** Revokes the keys that are restricted to this number, and returns their count. */
export async function revokeKeysOf(
  trx: Writer,
  { accountId, phone, now }: { accountId: string; phone: string; now: number },
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('phone', '=', phone)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export async function writeLastUses(trx: Writer, uses: ReadonlyMap<string, number>): Promise<void> {
  for (const [keyId, at] of uses) {
    await trx.updateTable('api_keys').set({ last_used_at: at }).where('id', '=', keyId).execute();
  }
}

export async function findDataKey(read: Queries, accountId: string): Promise<Uint8Array | undefined> {
  const row = await read
    .selectFrom('data_keys')
    .select('sealed')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.sealed;
}

/** Answers the key that holds, which another process may have written first. */
export async function insertDataKey(
  trx: Writer,
  row: { account_id: string; sealed: Uint8Array; created_at: number },
): Promise<Uint8Array> {
  await trx
    .insertInto('data_keys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const kept = trx.selectFrom('data_keys').select('sealed').where('account_id', '=', row.account_id);
  return (await kept.executeTakeFirstOrThrow()).sealed;
}

/** What invoices refer to; false when it was done before. */
export async function leaveTombstone(trx: Writer, accountId: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('accounts')
    .set({
      name: 'Deleted account',
      email: `${accountId}@deleted.invalid`,
      password_hash: null,
      status: 'suspended',
      tos_accepted_version: null,
      tos_accepted_at: null,
      partner_per_minute: null,
      partner_per_period: null,
      erased_at: now,
    })
    .where('id', '=', accountId)
    .where('erased_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
