import type { Writer } from '#platform/store';

type Queries = Pick<Writer, 'selectFrom'>;

/** Row of a name with its number. */
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

export async function insertName(trx: Writer, row: Omit<StoredName, 'phone' | 'plan'>): Promise<void> {
  await trx.insertInto('compat_names').values(row).execute();
}

export async function rewriteName(
  trx: Writer,
  { account_id, surface, name }: NameKey,
  change: Pick<StoredName, 'remembered' | 'updated_at'>,
): Promise<void> {
  await trx
    .updateTable('compat_names')
    .set(change)
    .where('account_id', '=', account_id)
    .where('surface', '=', surface)
    .where('name', '=', name)
    .execute();
}

export async function deleteName(trx: Writer, { account_id, surface, name }: NameKey): Promise<void> {
  await trx
    .deleteFrom('compat_names')
    .where('account_id', '=', account_id)
    .where('surface', '=', surface)
    .where('name', '=', name)
    .execute();
}
