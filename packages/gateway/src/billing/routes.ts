import { operations } from '@parley/contract';
import { type RequestContext, type Route, serve } from '#http';
import type { BillingContext } from './context.ts';
import { toCsv } from './csv.ts';
import { getInvoice, listInvoices, markPaid, pageOfInvoices, reopen } from './invoices.ts';
import { runInvoices } from './issue.ts';
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

/** Drawn when it is asked for, by code that nobody loads before. */
export async function pdfAnswer({ setHeader }: Answering, invoice: Invoices[number]): Promise<Buffer> {
  const { invoicePdf } = await import('./pdf/invoice-pdf.ts');
  const name = (invoice.number ?? invoice.invoice_id).replaceAll(/[^\w.-]/g, '-');
  setHeader('Content-Disposition', `inline; filename="${name}.pdf"`);
  return invoicePdf(invoice);
}
