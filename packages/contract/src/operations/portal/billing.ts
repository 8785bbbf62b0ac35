import { SELF_SERVICE_PLANS } from '../../plans.ts';
import { Phone, ResourceId } from '../../primitives.ts';
import { AccountUsage, Invoice, InvoicePage, Party, PlanPreview } from '../../resources/index.ts';
import { closed, oneOf } from '../../schema.ts';
import { csvAnswer, partyChange, pdfAnswer } from '../billing.ts';
import { operation } from '../operation.ts';
import { listPage } from '../pages.ts';
import { onPortal } from './in-portal.ts';

const onInvoice = { ...onPortal, subject: 'invoice', params: closed({ invoice_id: ResourceId }) } as const;

export const portalBillingOperations = {
  getMyUsage: operation({
    ...onPortal,
    id: 'getMyUsage',
    method: 'GET',
    right: 'see',
    path: '/portal/api/billing',
    summary: 'What the numbers of the account have used and cost so far, and will probably',
    listBound: 'A line for each number of the account.',
    answers: { 200: AccountUsage },
    errors: [],
  }),
  changeMyAddress: operation({
    ...onPortal,
    id: 'changeMyAddress',
    method: 'PUT',
    right: 'administer',
    path: '/portal/api/billing/buyer',
    summary: 'Change the name and address on invoices',
    description: 'On those that come from now on.',
    body: partyChange,
    answers: { 200: Party },
    errors: [],
  }),
  previewPlan: operation({
    ...onPortal,
    id: 'previewPlan',
    method: 'GET',
    right: 'see',
    subject: 'number',
    path: '/portal/api/numbers/{phone}/plan/{plan}',
    summary: 'What a change of plan would mean',
    params: closed({ phone: Phone, plan: oneOf(SELF_SERVICE_PLANS) }),
    answers: { 200: PlanPreview },
    errors: [],
  }),
  listMyInvoices: operation({
    ...onPortal,
    id: 'listMyInvoices',
    method: 'GET',
    right: 'see',
    path: '/portal/api/invoices',
    summary: 'List the invoices of the account, newest first',
    query: closed(listPage),
    answers: { 200: InvoicePage },
    errors: [],
  }),
  exportMyInvoices: operation({
    ...onPortal,
    ...csvAnswer,
    id: 'exportMyInvoices',
    method: 'GET',
    right: 'see',
    path: '/portal/api/invoices.csv',
    summary: 'List the invoices of the account as CSV',
    errors: [],
  }),
  getMyInvoice: operation({
    ...onInvoice,
    id: 'getMyInvoice',
    method: 'GET',
    right: 'see',
    path: '/portal/api/invoices/{invoice_id}',
    summary: 'Get an invoice',
    listBound: 'The lines of one invoice: one for each number.',
    answers: { 200: Invoice },
    errors: [],
  }),
  getMyInvoicePdf: operation({
    ...onInvoice,
    ...pdfAnswer,
    id: 'getMyInvoicePdf',
    method: 'GET',
    right: 'see',
    path: '/portal/api/invoices/{invoice_id}/pdf',
    summary: 'Get an invoice as PDF',
    errors: [],
  }),
};
