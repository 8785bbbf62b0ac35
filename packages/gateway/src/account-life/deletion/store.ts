import { type PageChoice, rowsToRead } from '#kernel';
import type { AccountDeletionRow, Reader, Writer } from '#store';

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
