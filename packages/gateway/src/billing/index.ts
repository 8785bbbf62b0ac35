export { type BillingContext, createNoticeBell } from './context.ts';
export { getInvoice, invoicesOf, listInvoices, pageOfInvoices } from './invoices.ts';
export { invoiceDevice, startInvoicing } from './issue.ts';
export { BILLING_SECRET, startNotices } from './notices.ts';
export { billingRoutes, csvAnswer, pdfAnswer } from './routes.ts';
export { changeBuyer } from './settings.ts';
export { deleteFreeInvoices } from './store.ts';
export { previewPlan, readUsage } from './usage.ts';
