import type { InvoiceStatus } from '@parley/contract';
import { sql } from 'kysely';
import type { Queries } from '#accounts';
import { apiError, type PageChoice, rowsToRead } from '#kernel';
import type {
  AccountBillingRow,
  BillingNoticeRow,
  BillingSettingsRow,
  DevicePeriodRow,
  InvoiceRow,
  Reader,
  Store,
  Writer,
} from '#platform/store';

const UNSET: BillingSettingsRow = {
  id: 'gateway',
  currency: null,
  tax_millipercent: 0,
  prices: '{}',
  seller: '{}',
  number_prefix: '',
  next_number: 1,
  due_days: 14,
  note: '',
  webhook_url: null,
  webhook_secret: null,
};

export async function findSettings(db: Queries): Promise<BillingSettingsRow> {
  const row = db.selectFrom('billing_settings').selectAll().where('id', '=', UNSET.id);
  return (await row.executeTakeFirst()) ?? UNSET;
}

export async function writeSettings(trx: Writer, change: Partial<BillingSettingsRow>): Promise<void> {
  if (Object.keys(change).length === 0) return;
  await trx
    .insertInto('billing_settings')
    .values({ ...UNSET, ...change })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(change))
    .execute();
}

export function findAccountBilling(db: Queries, accountId: string): Promise<AccountBillingRow | undefined> {
  return db.selectFrom('account_billing').selectAll().where('account_id', '=', accountId).executeTakeFirst();
}

export async function writeAccountBilling(trx: Writer, row: AccountBillingRow): Promise<void> {
  const { account_id: _, ...change } = row;
  await trx
    .insertInto('account_billing')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(change))
    .execute();
}

/** Numbers with a period that has ended by `until`, is stored, and has no invoice yet. */
export async function slotsToInvoice(db: Queries, until: number): Promise<string[]> {
  const rows = await db
    .selectFrom('device_periods')
    .select('slot_id')
    .distinct()
    // In these words the partial index answers it.
    .where('invoiced', '=', sql.lit(0))
    .where('ends_at', '<=', until)
    .whereRef('ends_at', '>', 'started_at')
    .execute();
  return rows.map(({ slot_id }) => slot_id);
}

/** That ended by `until` and have no invoice yet. */
export function periodsToInvoice(
  trx: Writer,
  slotId: string,
  until: number,
): Promise<Required<DevicePeriodFields>[]> {
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

type DevicePeriodFields = Pick<DevicePeriodRow, 'slot_id' | 'started_at' | 'ends_at' | 'plan' | 'quota'> & {
  used: number;
  carried: number;
  planned_end: number | null;
};

export async function insertInvoice(trx: Writer, invoice: InvoiceRow): Promise<void> {
  await trx.insertInto('invoices').values(invoice).execute();
  await trx
    .updateTable('device_periods')
    .set({ invoiced: 1 })
    .where('slot_id', '=', invoice.slot_id)
    .where('started_at', '=', invoice.period_start)
    .execute();
}

/** Takes the next number. Changes run one at a time, and one that fails returns its number. */
export async function takeNumber(trx: Writer, invoiceId: string): Promise<string> {
  const { number_prefix: prefix, next_number: next } = await findSettings(trx);
  await writeSettings(trx, { next_number: next + 1 });
  const number = `${prefix}${String(next).padStart(5, '0')}`;
  await trx.insertInto('invoice_numbers').values({ number, invoice_id: invoiceId }).execute();
  return number;
}

export async function hasNumberedInvoices(trx: Writer): Promise<boolean> {
  const numbered = trx.selectFrom('invoice_numbers').select('number').limit(1);
  return (await numbered.executeTakeFirst()) !== undefined;
}

export async function findInvoice(
  db: Queries,
  invoiceId: string,
  accountId: string | undefined,
): Promise<InvoiceRow> {
  const row = await findInvoiceIfAny(db, invoiceId);
  if (!row || (accountId !== undefined && row.account_id !== accountId)) throw apiError('invoice_not_found');
  return row;
}

export function findInvoiceIfAny(db: Queries, invoiceId: string): Promise<InvoiceRow | undefined> {
  return db.selectFrom('invoices').selectAll().where('id', '=', invoiceId).executeTakeFirst();
}

export async function writePayment(
  trx: Writer,
  invoiceId: string,
  payment: Pick<InvoiceRow, 'paid_at' | 'payment_reference'>,
): Promise<void> {
  await trx.updateTable('invoices').set(payment).where('id', '=', invoiceId).execute();
}

export interface InvoiceChoice {
  readonly account_id?: string | undefined;
  readonly status?: InvoiceStatus | undefined;
}

export type InvoiceOrder = 'oldest_first' | 'newest_first';

/** All of them, or a page; oldest first unless it says otherwise. */
export function listInvoiceRows(
  read: Reader,
  choice: InvoiceChoice = {},
  page?: PageChoice & { readonly order?: InvoiceOrder | undefined },
): Promise<InvoiceRow[]> {
  const isBackwards = page?.order === 'newest_first';
  let query = read
    .selectFrom('invoices')
    .selectAll()
    .orderBy('id', isBackwards ? 'desc' : 'asc');
  if (page?.cursor !== undefined) query = query.where('id', isBackwards ? '<' : '>', page.cursor);
  if (page) query = query.limit(rowsToRead(page));
  if (choice.account_id !== undefined) query = query.where('account_id', '=', choice.account_id);
  if (choice.status === 'no_charge') query = query.where('number', 'is', null);
  if (choice.status === 'open') query = query.where('number', 'is not', null).where('paid_at', 'is', null);
  if (choice.status === 'paid') query = query.where('paid_at', 'is not', null);
  return query.execute();
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

export async function insertNotice(trx: Writer, row: BillingNoticeRow): Promise<void> {
  await trx.insertInto('billing_notices').values(row).execute();
}

/** Oldest first. */
export function dueNotices(read: Reader, now: number, limit: number): Promise<BillingNoticeRow[]> {
  return read
    .selectFrom('billing_notices')
    .selectAll()
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute();
}

/** False when another process has postponed it, or it is deleted. */
export async function postponeNotice(
  trx: Writer,
  { id, due_at }: Pick<BillingNoticeRow, 'id' | 'due_at'>,
  change: Pick<BillingNoticeRow, 'due_at' | 'attempts' | 'last_error'>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('billing_notices')
    .set(change)
    .where('id', '=', id)
    .where('due_at', '=', due_at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteNotice(trx: Writer, id: string): Promise<void> {
  await trx.deleteFrom('billing_notices').where('id', '=', id).execute();
}

export async function deleteAllNotices(trx: Writer): Promise<void> {
  await trx.deleteFrom('billing_notices').execute();
}

export async function noticeBacklog(
  db: Queries,
): Promise<{ readonly waiting: number; readonly lastError: string | null }> {
  const counted = db.selectFrom('billing_notices').select((e) => e.fn.countAll<number>().as('waiting'));
  const oldest = db
    .selectFrom('billing_notices')
    .select('last_error')
    .where('last_error', 'is not', null)
    .orderBy('due_at')
    .limit(1);
  const lastError = (await oldest.executeTakeFirst())?.last_error ?? null;
  return { waiting: Number((await counted.executeTakeFirst())?.waiting ?? 0), lastError };
}

/** Those without a number ask for nothing; the others are kept by law, as they were issued. */
export async function deleteFreeInvoices(
  store: Pick<Store, 'transaction'>,
  accountId: string,
): Promise<void> {
  await store.transaction((trx) =>
    trx.deleteFrom('invoices').where('account_id', '=', accountId).where('number', 'is', null).execute(),
  );
}
