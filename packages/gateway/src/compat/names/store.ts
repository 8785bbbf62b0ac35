import type { Store, Writer } from '#store';

type Queries = Pick<Writer, 'selectFrom'>;

/** A name with the number that it stands for. */
export type StoredName = Awaited<ReturnType<typeof namesOf>>[number];

export function namesOf(db: Queries, surface: string, accountId: string) {
  return named(db, surface)
    .where('compat_names.account_id', '=', accountId)
    .orderBy('compat_names.name')
    .execute();
}

export function findName(db: Queries, surface: string, accountId: string, name: string) {
  return named(db, surface)
    .where('compat_names.account_id', '=', accountId)
    .where('compat_names.name', '=', name)
    .executeTakeFirst();
}

export function nameOfNumber(db: Queries, surface: string, slotId: string) {
  return named(db, surface).where('compat_names.slot_id', '=', slotId).executeTakeFirst();
}

function named(db: Queries, surface: string) {
  return db
    .selectFrom('compat_names')
    .innerJoin('devices', 'devices.slot_id', 'compat_names.slot_id')
    .selectAll('compat_names')
    .select(['devices.phone', 'devices.plan'])
    .where('compat_names.surface', '=', surface);
}

type NameKey = Pick<StoredName, 'account_id' | 'surface' | 'name'>;

/** Both or neither. */
export async function insertName(
  store: Store,
  row: Omit<StoredName, 'phone' | 'plan'>,
  inPlaceOf?: NameKey,
): Promise<void> {
  await store.transaction(async (trx) => {
    if (inPlaceOf) await deleting(trx, inPlaceOf).execute();
    await trx.insertInto('compat_names').values(row).execute();
  });
}

export async function rewriteName(
  store: Store,
  { account_id, surface, name }: NameKey,
  change: Pick<StoredName, 'remembered' | 'updated_at'>,
): Promise<void> {
  await store.transaction((trx) =>
    trx
      .updateTable('compat_names')
      .set(change)
      .where('account_id', '=', account_id)
      .where('surface', '=', surface)
      .where('name', '=', name)
      .execute(),
  );
}

export async function deleteName(store: Store, key: NameKey): Promise<void> {
  await store.transaction((trx) => deleting(trx, key).execute());
}

function deleting(trx: Pick<Writer, 'deleteFrom'>, { account_id, surface, name }: NameKey) {
  return trx
    .deleteFrom('compat_names')
    .where('account_id', '=', account_id)
    .where('surface', '=', surface)
    .where('name', '=', name);
}
