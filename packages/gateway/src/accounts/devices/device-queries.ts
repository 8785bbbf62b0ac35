import type { SelectQueryBuilder } from 'kysely';
import { apiError, type PageChoice, rowsToRead } from '#kernel';
import type { DevicePeriodRow, DeviceRow, NumberRemovalRow, Store, Tables, Writer } from '#platform/store';
import type { Queries } from '../account-queries.ts';

export async function findDevice(db: Queries, slotId: string): Promise<DeviceRow> {
  const row = await findDeviceEvenRemoved(db, slotId);
  if (row.removed_at !== null) throw apiError('device_not_found');
  return row;
}

export async function findDeviceEvenRemoved(db: Queries, slotId: string): Promise<DeviceRow> {
  const row = await db.selectFrom('devices').selectAll().where('slot_id', '=', slotId).executeTakeFirst();
  if (!row) throw apiError('device_not_found');
  return row;
}

/** All of them, or a page. */
export function devicesOf(db: Queries, accountId: string, page?: PageChoice): Promise<DeviceRow[]> {
  const query = db
    .selectFrom('devices')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .orderBy('slot_id');
  return (page ? behind(query, page) : query).execute();
}

/** Of every account: all of them, or a page. */
export function allDevices(db: Queries, page?: PageChoice): Promise<DeviceRow[]> {
  const query = db.selectFrom('devices').selectAll().where('removed_at', 'is', null).orderBy('slot_id');
  return (page ? behind(query, page) : query).execute();
}

function behind<T>(query: SelectQueryBuilder<Tables, 'devices', T>, page: PageChoice) {
  const rest = page.cursor === undefined ? query : query.where('slot_id', '>', page.cursor);
  return rest.limit(rowsToRead(page));
}

export async function isRegistered(db: Queries, phone: string): Promise<boolean> {
  const taken = db.selectFrom('devices').select('slot_id').where('phone', '=', phone);
  return (await taken.executeTakeFirst()) !== undefined;
}

export async function insertDevice(trx: Writer, row: DeviceRow): Promise<void> {
  await trx.insertInto('devices').values(row).execute();
}

export async function updateDevice(
  trx: Writer,
  { slot_id: slotId, plan, status, activated_at, nickname, canceled_at }: DeviceRow,
): Promise<void> {
  await trx
    .updateTable('devices')
    .set({ plan, status, activated_at, nickname, canceled_at })
    .where('slot_id', '=', slotId)
    .execute();
}

/** Its phone stays its own until `releasePhone`: an invoice may have to name it. */
export async function markRemoved(trx: Writer, removal: NumberRemovalRow): Promise<void> {
  const { slot_id: slotId, removed_at } = removal;
  await trx
    .updateTable('devices')
    .set({ removed_at, status: 'inactive', activated_at: null })
    .where('slot_id', '=', slotId)
    .execute();
  await trx.insertInto('number_removals').values(removal).execute();
}

export async function endRemoval(store: Pick<Store, 'transaction'>, slotId: string): Promise<void> {
  await store.transaction((trx) => trx.deleteFrom('number_removals').where('slot_id', '=', slotId).execute());
}

/** Allows the phone to be registered again, by any account. */
export async function releasePhone(trx: Writer, slotId: string): Promise<void> {
  await trx.updateTable('devices').set({ phone: slotId }).where('slot_id', '=', slotId).execute();
}

/** A period as it is stored, with its counter. */
export type DevicePeriod = EmptyPeriod & Readonly<Record<'used' | 'carried' | 'invoiced', number>>;
/** The same before anything was sent in it. */
export type EmptyPeriod = Omit<DevicePeriodRow, 'used' | 'carried' | 'invoiced' | 'planned_end'>;

/** Those of them that are stored. */
export function findStoredPeriods(
  db: Queries,
  wanted: readonly Pick<DevicePeriod, 'slot_id' | 'started_at'>[],
): Promise<DevicePeriod[]> {
  return db
    .selectFrom('device_periods')
    .select(['slot_id', 'started_at', 'ends_at', 'plan', 'quota', 'used', 'carried', 'invoiced'])
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('slot_id', 'started_at'),
        'in',
        wanted.map(({ slot_id, started_at }) => tuple(slot_id, started_at)),
      ),
    )
    .execute();
}

/** One that is stored already keeps its counter and takes on the new terms. */
export async function upsertPeriod(trx: Writer, period: EmptyPeriod, carried: number): Promise<void> {
  const { ends_at, plan, quota } = period;
  await trx
    .insertInto('device_periods')
    .values({ ...period, used: carried, carried })
    .onConflict((conflict) =>
      conflict.columns(['slot_id', 'started_at']).doUpdateSet({ ends_at, plan, quota }),
    )
    .execute();
}

export async function insertMissingPeriods(trx: Writer, periods: readonly EmptyPeriod[]): Promise<void> {
  await trx
    .insertInto('device_periods')
    .values(periods)
    .onConflict((conflict) => conflict.columns(['slot_id', 'started_at']).doNothing())
    .execute();
}

/**
 * Sends in the periods that began between the two, and in those that were cut short and would not be over at the end, so that
 * repeated changes of the plan gain nothing. Each period counts its own sends.
 */
export async function usedBetween(
  trx: Queries,
  slotId: string,
  { after, before }: { after: number; before: number },
): Promise<number> {
  const periods = await trx
    .selectFrom('device_periods')
    .select(['used', 'carried'])
    .where('slot_id', '=', slotId)
    .where('started_at', '<', before)
    .where(({ or, eb }) => or([eb('started_at', '>', after), eb('planned_end', '>', before)]))
    .execute();
  return periods.reduce((sum, { used, carried }) => sum + used - carried, 0);
}

export async function endRunningPeriod(trx: Writer, slotId: string, now: number): Promise<void> {
  await trx
    .updateTable('device_periods')
    .set((row) => ({ ends_at: now, planned_end: row.ref('ends_at') }))
    .where('slot_id', '=', slotId)
    .where('ends_at', '>', now)
    .execute();
}
