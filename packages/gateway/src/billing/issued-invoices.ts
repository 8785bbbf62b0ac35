import type { Invoice } from '@parley/contract';
import { type Actor, auditedTransaction, record } from '#accounts';
import { apiError, type Page, type PageChoice, pageOf } from '#kernel';
import type { InvoiceRow } from '#platform/store';
import {
  findInvoice,
  type InvoiceChoice,
  type InvoiceOrder,
  invoicesOfDevice,
  listInvoiceRows,
  writePayment,
} from './billing-queries.ts';
import type { BillingContext } from './context.ts';
import { putNotice } from './notices.ts';
import { publicInvoice } from './public-invoice.ts';

type Reading = Pick<BillingContext, 'store'>;

/** Oldest first. */
export async function listInvoices({ store }: Reading, choice?: InvoiceChoice): Promise<Invoice[]> {
  return (await listInvoiceRows(store.read, choice)).map(publicInvoice);
}

/** A part of them, in the order that is asked for. */
export async function pageOfInvoices(
  { store }: Reading,
  choice: InvoiceChoice & PageChoice & { readonly order?: InvoiceOrder | undefined },
): Promise<Page<Invoice>> {
  const invoices = (await listInvoiceRows(store.read, choice, choice)).map(publicInvoice);
  return pageOf(invoices, choice, ({ invoice_id }) => invoice_id);
}

/** Newest first. */
export async function invoicesOf({ store }: Reading, slotId: string): Promise<Invoice[]> {
  return (await invoicesOfDevice(store.read, slotId)).map(publicInvoice);
}

/** Of that account, where one is named. */
export async function getInvoice(
  { store }: Reading,
  invoiceId: string,
  accountId?: string,
): Promise<Invoice> {
  return publicInvoice(await findInvoice(store.read, invoiceId, accountId));
}

/** Says that it was paid elsewhere. Once more changes nothing. */
export async function markPaid(
  context: BillingContext,
  actor: Actor,
  invoiceId: string,
  { paid_at: given, reference }: { paid_at?: string | undefined; reference?: string | undefined },
): Promise<Invoice> {
  const paidAt = given === undefined ? context.clock.now() : Date.parse(given);
  if (!(paidAt <= context.clock.now()))
    throw apiError('invalid_field', { text: 'paid_at must be a time that has passed' });
  return changePayment(context, actor, invoiceId, {
    changes: ({ paid_at }) => paid_at === null,
    payment: { paid_at: paidAt, payment_reference: reference ?? null },
    kind: 'invoice.paid',
  });
}

export async function reopen(context: BillingContext, actor: Actor, invoiceId: string): Promise<Invoice> {
  return changePayment(context, actor, invoiceId, {
    changes: ({ paid_at }) => paid_at !== null,
    payment: { paid_at: null, payment_reference: null },
    kind: 'invoice.reopened',
  });
}

async function changePayment(
  context: BillingContext,
  actor: Actor,
  invoiceId: string,
  {
    changes,
    payment,
    kind,
  }: {
    changes: (row: InvoiceRow) => boolean;
    payment: Pick<InvoiceRow, 'paid_at' | 'payment_reference'>;
    kind: 'invoice.paid' | 'invoice.reopened';
  },
): Promise<Invoice> {
  const { store, clock } = context;
  const after = await auditedTransaction(store, async (trx) => {
    const row = await findInvoice(trx, invoiceId, undefined);
    if (row.number === null) throw apiError('invoice_without_charge');
    if (!changes(row)) return row;
    await writePayment(trx, invoiceId, payment);
    await record(trx, clock.now(), {
      actor,
      accountId: row.account_id,
      action: kind,
      subject: invoiceId,
      detail: { number: row.number, reference: payment.payment_reference },
    });
    await putNotice(context, trx, invoiceId, kind);
    return { ...row, ...payment };
  });
  context.notices?.ring();
  return publicInvoice(after);
}
