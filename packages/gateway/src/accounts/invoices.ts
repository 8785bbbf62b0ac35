import type { Invoice } from '@parley/contract';
import { fault } from '#kernel';
import type { DeviceRow, InvoiceRow, Writer } from '#store';
import { findAccount } from './accounts.ts';
import { type Actor, record } from './audit.ts';
import type { AccountsContext } from './context.ts';
import { ensurePeriod, lastPeriodEnd, type PartnerQuota } from './periods.ts';

/** Closes every period that ended by `until` (now, unless told): one invoice per number and period, however often it is run. */
export async function runInvoices(
  context: AccountsContext,
  actor: Actor,
  until: number = context.clock.now(),
): Promise<Invoice[]> {
  if (until > context.clock.now()) throw fault('invalid_field', { text: 'until must not be in the future' });
  const devices = await context.store.read.selectFrom('devices').selectAll().orderBy('slot_id').execute();
  const issued: Invoice[] = [];
  // One transaction per number keeps each of them short, however many numbers there are.
  for (const device of devices) issued.push(...(await invoiceDevice(context, actor, device, until)));
  return issued;
}

export async function listInvoices({ store }: AccountsContext): Promise<Invoice[]> {
  const rows = await store.read.selectFrom('invoices').selectAll().orderBy('id').execute();
  return rows.map(publicInvoice);
}

async function invoiceDevice(
  { store, clock, ids }: AccountsContext,
  actor: Actor,
  device: DeviceRow,
  until: number,
): Promise<Invoice[]> {
  return store.transaction(async (trx) => {
    await storeSilentPeriods(trx, device, await findAccount(trx, device.account_id), until);
    const due = await trx
      .selectFrom('device_periods')
      .selectAll()
      .where('slot_id', '=', device.slot_id)
      .where('invoiced', '=', 0)
      .where('ends_at', '<=', until)
      .orderBy('started_at')
      .execute();
    const now = clock.now();
    const invoices: InvoiceRow[] = due.map((period) => ({
      id: ids.invoice(),
      account_id: device.account_id,
      slot_id: device.slot_id,
      phone: device.phone,
      plan: period.plan,
      period_start: period.started_at,
      period_end: period.ends_at,
      quota: period.quota,
      used: period.used,
      issued_at: now,
    }));
    for (const invoice of invoices) {
      await trx.insertInto('invoices').values(invoice).execute();
      await trx
        .updateTable('device_periods')
        .set({ invoiced: 1 })
        .where('slot_id', '=', device.slot_id)
        .where('started_at', '=', invoice.period_start)
        .execute();
      await record(store, trx, now, {
        actor,
        accountId: device.account_id,
        action: 'invoice.issued',
        subject: invoice.id,
      });
    }
    return invoices.map(publicInvoice);
  });
}

/** A period in which nothing was sent has no row yet; it is owed all the same. */
async function storeSilentPeriods(
  trx: Writer,
  device: DeviceRow,
  account: PartnerQuota,
  until: number,
): Promise<void> {
  if (device.activated_at === null) return;
  for (let end = await lastPeriodEnd(trx, device); end < until; end = await lastPeriodEnd(trx, device)) {
    await ensurePeriod(trx, device, account, end);
  }
}

function publicInvoice(row: InvoiceRow): Invoice {
  return {
    invoice_id: row.id,
    account_id: row.account_id,
    phone: row.phone,
    plan: row.plan,
    period_start: new Date(row.period_start).toISOString(),
    period_end: new Date(row.period_end).toISOString(),
    quota: row.quota,
    used: row.used,
    issued_at: new Date(row.issued_at).toISOString(),
  };
}
