import type { AccountExportRow, Reader, Store, Writer } from '#store';

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

/** Those that nobody makes at the moment, and those that are older than that; there are as many as were asked for of late. */
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

/** False when somebody else was faster. */
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

/** False when it was dropped, or is somebody else's by now. */
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
