export { deleteFreeInvoices } from './billing-queries.ts';
export { type BillingContext, createWakeSignal } from './context.ts';
export { invoiceDevice, startInvoicing } from './invoicing.ts';
export { getInvoice, invoicesOf, listInvoices, pageOfInvoices } from './issued-invoices.ts';
export { BILLING_SECRET, startNotices } from './notices.ts';
export { billingRoutes, csvAnswer, pdfAnswer } from './routes.ts';
export { changeBuyer } from './settings.ts';
export { previewPlan, readUsage } from './usage.ts';
