import type { Invoice } from '@parley/contract';
import { fault } from '#kernel';
import type { InvoiceRow } from '#store';
import { type Actor, record } from '../audit/store.ts';
import type { AccountsContext } from '../context.ts';
import { changeInTurn, findAccount } from '../store.ts';
import { storeSilentPeriods } from './periods.ts';
import {
  allDevices,
  allInvoices,
  findDevice,
  insertInvoice,
  invoicesOfDevice,
  periodsToInvoice,
} from './store.ts';

/** Closes every period that ended by `until` (now, unless told): one invoice per number and period, however often it is run. */
export async function runInvoices(
  context: AccountsContext,
  actor: Actor,
  until: number = context.clock.now(),
): Promise<Invoice[]> {
  // Written so that a date that does not exist, such as 31 February, is refused as well.
  if (!(until <= context.clock.now()))
    throw fault('invalid_field', { text: 'until must be a time that has passed' });
  const issued: Invoice[] = [];
  // One transaction per number keeps each of them short, however many numbers there are.
  for (const device of await allDevices(context.store.read))
    issued.push(...(await invoiceDevice(context, actor, device.slot_id, until)));
  return issued;
}

export async function listInvoices({ store }: AccountsContext): Promise<Invoice[]> {
  return (await allInvoices(store.read)).map(publicInvoice);
}

/** Newest first. */
export async function invoicesOf({ store }: AccountsContext, slotId: string): Promise<Invoice[]> {
  return (await invoicesOfDevice(store.read, slotId)).map(publicInvoice);
}

async function invoiceDevice(
  { store, clock, ids }: AccountsContext,
  actor: Actor,
  slotId: string,
  until: number,
): Promise<Invoice[]> {
  return changeInTurn(store, async (trx) => {
    const device = await findDevice(trx, slotId);
    await storeSilentPeriods(trx, device, await findAccount(trx, device.account_id), until);
    const due = await periodsToInvoice(trx, slotId, until);
    const now = clock.now();
    const invoices: InvoiceRow[] = due.map((period) => ({
      id: ids.invoice(),
      account_id: device.account_id,
      slot_id: slotId,
      phone: device.phone,
      plan: period.plan,
      period_start: period.started_at,
      period_end: period.ends_at,
      quota: period.quota,
      used: period.used - period.carried,
      issued_at: now,
    }));
    for (const invoice of invoices) {
      await insertInvoice(trx, invoice);
      await record(trx, now, {
        actor,
        accountId: device.account_id,
        action: 'invoice.issued',
        subject: invoice.id,
      });
    }
    return invoices.map(publicInvoice);
  });
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
