import { sql } from 'kysely';
import { type PageChoice, rowsToRead } from '#kernel';
import type { AccountDeletionRow, Reader, Store, Writer } from '#store';

export function findDeletion(
  db: Pick<Reader, 'selectFrom'>,
  accountId: string,
): Promise<AccountDeletionRow | undefined> {
  return db
    .selectFrom('account_deletions')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/** As few as end at the moment. */
/** All of them, or a page. */
export function listDeletions(read: Reader, page?: PageChoice): Promise<AccountDeletionRow[]> {
  let query = read.selectFrom('account_deletions').selectAll().orderBy('account_id');
  if (page?.cursor !== undefined) query = query.where('account_id', '>', page.cursor);
  if (page) query = query.limit(rowsToRead(page));
  return query.execute();
}

/** One that was asked for before becomes due sooner, never later. */
export async function writeDeletion(trx: Writer, row: AccountDeletionRow): Promise<void> {
  await trx
    .insertInto('account_deletions')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ due_at: row.due_at }))
    .execute();
}

export async function dropDeletion(trx: Writer, accountId: string): Promise<void> {
  await trx.deleteFrom('account_deletions').where('account_id', '=', accountId).execute();
}

export async function noteLinks(trx: Writer, accountId: string, links: readonly string[]): Promise<void> {
  await trx
    .updateTable('account_deletions')
    .set({ links: JSON.stringify(links) })
    .where('account_id', '=', accountId)
    .execute();
}

export async function removalsOf(read: Reader, accountId: string): Promise<string[]> {
  const rows = await read
    .selectFrom('number_removals')
    .select('slot_id')
    .where('account_id', '=', accountId)
    .execute();
  return rows.map(({ slot_id }) => slot_id);
}

/** Whether one of these links is still to be unlinked on the network. */
export async function isAnyEnding(read: Reader, links: readonly string[]): Promise<boolean> {
  for (const linkId of links) {
    const ending = read.selectFrom('ending_links').select('link_id').where('link_id', '=', linkId);
    if (await ending.executeTakeFirst()) return true;
  }
  return false;
}

const OBJECTS_PER_STEP = 100;

export function someObjects(read: Reader, accountId: string): Promise<{ id: string }[]> {
  return read
    .selectFrom('media_objects')
    .select('id')
    .where('account_id', '=', accountId)
    .limit(OBJECTS_PER_STEP)
    .execute();
}

export async function dropObjects(
  store: Pick<Store, 'transaction'>,
  accountId: string,
  ids: readonly string[],
): Promise<void> {
  await store.transaction((trx) =>
    trx.deleteFrom('media_objects').where('account_id', '=', accountId).where('id', 'in', ids).execute(),
  );
}

/** Those without a number ask for nothing; the others are kept by law, as they were issued. */
export async function dropFreeInvoices(store: Pick<Store, 'transaction'>, accountId: string): Promise<void> {
  await store.transaction((trx) =>
    trx.deleteFrom('invoices').where('account_id', '=', accountId).where('number', 'is', null).execute(),
  );
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

const ENTRIES_PER_STEP = 500;

/** What was changed by and for an account, but for its end, by which every process learns of it. */
export async function dropEntries(store: Pick<Store, 'transaction'>, accountId: string): Promise<boolean> {
  return store.transaction(async (trx) => {
    const some = trx
      .selectFrom('audit_log')
      .select('number')
      .where('account_id', '=', accountId)
      .where('action', '!=', 'account.erased')
      .limit(ENTRIES_PER_STEP);
    const { numDeletedRows } = await trx
      .deleteFrom('audit_log')
      .where('number', 'in', some)
      .where('number', '<', sql<number>`(select max(number) from audit_log)`)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  });
}
