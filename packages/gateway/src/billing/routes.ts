import { type Invoice, operations } from '@parley/contract';
import { csvOf } from '#kernel';
import { type RequestContext, type Route, serve } from '#platform/http';
import type { BillingContext } from './context.ts';
import { runInvoices } from './invoicing.ts';
import { getInvoice, listInvoices, markPaid, pageOfInvoices, reopen } from './issued-invoices.ts';
import { decimal } from './prices.ts';
import {
  changeAccountBilling,
  changeBilling,
  getAccountBilling,
  getBilling,
  removeWebhook,
  setWebhook,
} from './settings.ts';

export function billingRoutes(context: BillingContext): Route[] {
  return [
    serve(operations.getBilling, () => getBilling(context)),
    serve(operations.updateBilling, ({ body }) => changeBilling(context, 'operator', body)),
    serve(operations.setBillingWebhook, ({ body }) => setWebhook(context, 'operator', body.url)),
    serve(operations.removeBillingWebhook, async () => {
      await removeWebhook(context, 'operator');
      return undefined;
    }),
    serve(operations.getAccountBilling, ({ params }) => getAccountBilling(context, params.account_id)),
    serve(operations.updateAccountBilling, ({ params, body }) =>
      changeAccountBilling(context, 'operator', params.account_id, body),
    ),
    serve(operations.runInvoices, async ({ body }) => {
      const until = body.until === undefined ? undefined : Date.parse(body.until);
      return { invoices: await runInvoices(context, 'operator', { until }) };
    }),
    serve(operations.listInvoices, async ({ query }) => {
      const { items, nextCursor } = await pageOfInvoices(context, query);
      return { invoices: items, next_cursor: nextCursor };
    }),
    serve(operations.exportInvoices, async (call) =>
      csvAnswer(call, await listInvoices(context, call.query)),
    ),
    serve(operations.getInvoice, ({ params }) => getInvoice(context, params.invoice_id)),
    serve(operations.getInvoicePdf, async (call) =>
      pdfAnswer(call, await getInvoice(context, call.params.invoice_id)),
    ),
    serve(operations.markInvoicePaid, ({ params, body }) =>
      markPaid(context, 'operator', params.invoice_id, body),
    ),
    serve(operations.reopenInvoice, ({ params }) => reopen(context, 'operator', params.invoice_id)),
  ];
}

type Answering = Pick<RequestContext, 'setHeader'>;
type Invoices = Awaited<ReturnType<typeof listInvoices>>;

export function csvAnswer({ setHeader }: Answering, invoices: Invoices): string {
  setHeader('Content-Type', 'text/csv; charset=utf-8');
  setHeader('Content-Disposition', 'attachment; filename="invoices.csv"');
  return toCsv(invoices);
}

/** Rendered on request, by code that is loaded only then. */
export async function pdfAnswer({ setHeader }: Answering, invoice: Invoices[number]): Promise<Buffer> {
  const { invoicePdf } = await import('./pdf/invoice-pdf.ts');
  const name = (invoice.number ?? invoice.invoice_id).replaceAll(/[^\w.-]/g, '-');
  setHeader('Content-Disposition', `inline; filename="${name}.pdf"`);
  return invoicePdf(invoice);
}

const COLUMNS = [
  ...['number', 'invoice_id', 'account_id', 'buyer', 'phone', 'plan', 'period_start', 'period_end'],
  ...['quota', 'used', 'currency', 'net', 'tax_percent', 'tax', 'total'],
  ...['status', 'issued_at', 'due_at', 'paid_at', 'payment_reference'],
];

/** Amounts are decimal numbers. */
export function toCsv(invoices: readonly Invoice[]): string {
  const rows = invoices.map((invoice) => {
    const { currency } = invoice;
    const money = (amount: number | null) =>
      amount === null || currency === null ? null : decimal(amount, currency);
    return {
      ...invoice,
      buyer: invoice.buyer?.name,
      net: money(invoice.net),
      tax: money(invoice.tax),
      total: money(invoice.total),
    };
  });
  return csvOf(COLUMNS, rows);
}
