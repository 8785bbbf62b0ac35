import { fault } from '#kernel';
import type { DevicePeriodRow, DeviceRow, InvoiceRow, Reader, Writer } from '#store';
import type { Queries } from '../store.ts';

export async function findDevice(db: Queries, slotId: string): Promise<DeviceRow> {
  const row = await db.selectFrom('devices').selectAll().where('slot_id', '=', slotId).executeTakeFirst();
  if (!row) throw fault('device_not_found');
  return row;
}

export function devicesOf(db: Queries, accountId: string): Promise<DeviceRow[]> {
  return db
    .selectFrom('devices')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('slot_id')
    .execute();
}

export function allDevices(db: Queries): Promise<DeviceRow[]> {
  return db.selectFrom('devices').selectAll().orderBy('slot_id').execute();
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
  { slot_id: slotId, plan, status, activated_at }: DeviceRow,
): Promise<void> {
  await trx
    .updateTable('devices')
    .set({ plan, status, activated_at })
    .where('slot_id', '=', slotId)
    .execute();
}

/** A period as it is stored, with its counter. */
export type DevicePeriod = Omit<DevicePeriodRow, 'used' | 'carried' | 'invoiced'> & { used: number };
/** The same before anything was sent in it. */
export type EmptyPeriod = Omit<DevicePeriod, 'used'>;

/** Those of them that are stored. */
export function findStoredPeriods(
  db: Queries,
  wanted: readonly Pick<DevicePeriod, 'slot_id' | 'started_at'>[],
): Promise<DevicePeriod[]> {
  return db
    .selectFrom('device_periods')
    .select(['slot_id', 'started_at', 'ends_at', 'plan', 'quota', 'used'])
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

/** In the periods that began between the two; each counts what was sent in itself. */
export async function usedBetween(
  trx: Writer,
  slotId: string,
  { after, before }: { after: number; before: number },
): Promise<number> {
  const periods = await trx
    .selectFrom('device_periods')
    .select(['used', 'carried'])
    .where('slot_id', '=', slotId)
    .where('started_at', '>', after)
    .where('started_at', '<', before)
    .execute();
  return periods.reduce((sum, { used, carried }) => sum + used - carried, 0);
}

export async function endRunningPeriod(trx: Writer, slotId: string, now: number): Promise<void> {
  await trx
    .updateTable('device_periods')
    .set({ ends_at: now })
    .where('slot_id', '=', slotId)
    .where('ends_at', '>', now)
    .execute();
}

/** That ended by `until` and have no invoice yet. */
export function periodsToInvoice(trx: Writer, slotId: string, until: number) {
  return (
    trx
      .selectFrom('device_periods')
      .selectAll()
      .where('slot_id', '=', slotId)
      .where('invoiced', '=', 0)
      .where('ends_at', '<=', until)
      // A number that was taken out of service in the moment its period began owes nothing for it.
      .whereRef('ends_at', '>', 'started_at')
      .orderBy('started_at')
      .execute()
  );
}

export async function insertInvoice(trx: Writer, invoice: InvoiceRow): Promise<void> {
  await trx.insertInto('invoices').values(invoice).execute();
  await trx
    .updateTable('device_periods')
    .set({ invoiced: 1 })
    .where('slot_id', '=', invoice.slot_id)
    .where('started_at', '=', invoice.period_start)
    .execute();
}

export function allInvoices(read: Reader): Promise<InvoiceRow[]> {
  return read.selectFrom('invoices').selectAll().orderBy('id').execute();
}

/** Newest first. */
export function invoicesOfDevice(read: Reader, slotId: string): Promise<InvoiceRow[]> {
  return read
    .selectFrom('invoices')
    .selectAll()
    .where('slot_id', '=', slotId)
    .orderBy('period_start', 'desc')
    .execute();
}
