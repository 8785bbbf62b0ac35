import { sql } from 'kysely';
import { type PageChoice, rowsToRead } from '#kernel';
import type {
  AccountDeletionRow,
  AccountExportRow,
  NumberRemovalRow,
  Reader,
  Store,
  Writer,
} from '#platform/store';

export function exportsOf(read: Pick<Reader, 'selectFrom'>, accountId: string): Promise<AccountExportRow[]> {
  return read
    .selectFrom('account_exports')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .execute();
}

export async function insertExport(trx: Writer, row: AccountExportRow): Promise<void> {
  await trx.insertInto('account_exports').values(row).execute();
}

/** Exports without a lease, and expired ones. Few: old rows are deleted. */
export function exportsToSee(
  read: Reader,
  { machineNow, oldBefore }: { machineNow: number; oldBefore: number },
): Promise<AccountExportRow[]> {
  return read
    .selectFrom('account_exports')
    .selectAll()
    .where((row) =>
      row.or([
        row('asked_at', '<=', oldBefore),
        row.and([row('state', '=', 'waiting'), row('taken_until', '<=', machineNow)]),
      ]),
    )
    .orderBy('id')
    .execute();
}

/** False when another process was faster. */
export async function takeExport(
  store: Pick<Store, 'transaction'>,
  { id, taken_until: before }: Pick<AccountExportRow, 'id' | 'taken_until'>,
  until: number,
): Promise<boolean> {
  return store.transaction(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('account_exports')
      .set({ taken_until: until })
      .where('id', '=', id)
      .where('taken_until', '=', before)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
}

/** False when it was dropped, or another process has the lease. */
export async function changeExport(
  store: Pick<Store, 'transaction'>,
  { id, takenUntil }: { id: string; takenUntil: number },
  change: Partial<AccountExportRow>,
): Promise<boolean> {
  return store.transaction(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('account_exports')
      .set(change)
      .where('id', '=', id)
      .where('taken_until', '=', takenUntil)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
}

export async function dropOldExports(store: Pick<Store, 'transaction'>, before: number): Promise<void> {
  await store.transaction((trx) =>
    trx.deleteFrom('account_exports').where('asked_at', '<=', before).execute(),
  );
}

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

/** All deletions, or a page of them. */
export function listDeletions(read: Reader, page?: PageChoice): Promise<AccountDeletionRow[]> {
  let query = read.selectFrom('account_deletions').selectAll().orderBy('account_id');
  if (page?.cursor !== undefined) query = query.where('account_id', '>', page.cursor);
  if (page) query = query.limit(rowsToRead(page));
  return query.execute();
}

/** A repeated request can only bring the date forward. */
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

export function findRemoval(read: Reader, slotId: string): Promise<NumberRemovalRow | undefined> {
  return read.selectFrom('number_removals').selectAll().where('slot_id', '=', slotId).executeTakeFirst();
}

/** Few: only recent removals. */
export function listRemovals(read: Reader): Promise<NumberRemovalRow[]> {
  return read.selectFrom('number_removals').selectAll().orderBy('slot_id').execute();
}

interface WebhookOfNumber {
  readonly id: string;
  /** Null: Parley's own format. */
  readonly format: string | null;
}

export function webhooksOfNumber(read: Reader, slotId: string): Promise<WebhookOfNumber[]> {
  const own = read.selectFrom('webhooks').select(['id', sql<string | null>`null`.as('format')]);
  const formatted = read.selectFrom('formatted_webhooks').select(['id', 'format']);
  return own
    .where('slot_id', '=', slotId)
    .unionAll(formatted.where('slot_id', '=', slotId))
    .execute();
}

/** Whether it has a queued message, or an event that its webhook has not received yet. */
export async function hasPendingEvents(
  read: Reader,
  { slot_id: slotId, account_id: accountId }: NumberRemovalRow,
): Promise<boolean> {
  const queued = read.selectFrom('outbox').select('seq').where('slot_id', '=', slotId).limit(1);
  if (await queued.executeTakeFirst()) return true;
  const ids = (await webhooksOfNumber(read, slotId)).map(({ id }) => id);
  if (ids.length === 0) return false;
  const waiting = read
    .selectFrom('deliveries')
    .select('seq')
    .where('account_id', '=', accountId)
    .where('status', 'in', ['pending', 'paused'])
    .where('webhook_id', 'in', ids)
    .limit(1);
  return (await waiting.executeTakeFirst()) !== undefined;
}
