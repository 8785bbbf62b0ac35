import { operations } from '@parley/contract';
import { actorOf } from '#accounts';
import {
  changeBuyer,
  csvAnswer,
  getInvoice,
  invoicesOf,
  listInvoices,
  pageOfInvoices,
  pdfAnswer,
  previewPlan,
  readUsage,
} from '#billing';
import { type Route, serve } from '#http';
import type { PortalContext } from '../context.ts';

export function billingRoutes({ billing }: PortalContext): Route[] {
  const newestFirst = async (accountId: string) =>
    (await listInvoices(billing, { account_id: accountId })).reverse();

  return [
    serve(operations.getMyUsage, ({ caller }) => readUsage(billing, caller.accountId)),
    serve(operations.changeMyAddress, ({ caller, body }) =>
      changeBuyer(billing, actorOf({ id: caller.memberId }), caller.accountId, body),
    ),
    serve(operations.previewPlan, ({ number, params }) => previewPlan(billing, number.slotId, params.plan)),
    serve(operations.listNumberInvoices, async ({ number }) => ({
      invoices: await invoicesOf(billing, number.slotId),
    })),
    serve(operations.listMyInvoices, async ({ caller, query }) => {
      const choice = { ...query, account_id: caller.accountId, order: 'newest_first' } as const;
      const { items, nextCursor } = await pageOfInvoices(billing, choice);
      return { invoices: items, next_cursor: nextCursor };
    }),
    serve(operations.exportMyInvoices, async (call) =>
      csvAnswer(call, await newestFirst(call.caller.accountId)),
    ),
    serve(operations.getMyInvoice, ({ caller, params }) =>
      getInvoice(billing, params.invoice_id, caller.accountId),
    ),
    serve(operations.getMyInvoicePdf, async (call) =>
      pdfAnswer(call, await getInvoice(billing, call.params.invoice_id, call.caller.accountId)),
    ),
  ];
}
