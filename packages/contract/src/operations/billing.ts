import Type from 'typebox';
import { INVOICE_WITHIN_MINUTES } from '../limits.ts';
import { HttpUrl, IsoTimeInput, ResourceId } from '../primitives.ts';
import {
  AccountBilling,
  Amount,
  Billing,
  BillingWebhookSecret,
  Currency,
  INVOICE_STATUSES,
  Invoice,
  InvoiceList,
  InvoicePage,
  Party,
  TaxPercent,
} from '../resources/index.ts';
import { closed, KEEPS_EMPTY, line, nullable, oneOf, severalLines } from '../schema.ts';
import { operation } from './operation.ts';
import { listPage } from './pages.ts';
import { accountPath } from './paths.ts';

const onOperator = { tag: 'Operator', surface: 'operator', limits: [] } as const;
const onAccount = { ...onOperator, subject: 'account', params: accountPath } as const;
const onInvoice = {
  ...onOperator,
  subject: 'invoice',
  params: closed({ invoice_id: ResourceId }),
} as const;

export const csvAnswer = { answers: { 200: Type.String() }, answerType: 'text/csv' } as const;
export const pdfAnswer = {
  answers: { 200: Type.String({ format: 'binary' }) },
  answerType: 'application/pdf',
} as const;

/** Absent fields stay unchanged. */
const price = Type.Optional(nullable(Amount, { description: 'Null: none.' }));
const prices = Type.Optional(closed({ free: price, pro: price, max: price, partner: price }));
const { name, address, tax_id, email } = Party.properties;
export const partyChange = closed({
  name: Type.Optional(name),
  address: Type.Optional(address),
  tax_id: Type.Optional(tax_id),
  email: Type.Optional(email),
});

const chosen = {
  account_id: Type.Optional(ResourceId),
  status: Type.Optional(oneOf(INVOICE_STATUSES)),
};

export const billingOperations = {
  getBilling: operation({
    ...onOperator,
    id: 'getBilling',
    method: 'GET',
    path: '/operator/v1/billing',
    summary: 'Get prices, seller and numbering',
    answers: { 200: Billing },
    errors: [],
    sdk: 'billing',
    cli: ['billing show'],
    run: {},
  }),
  updateBilling: operation({
    ...onOperator,
    id: 'updateBilling',
    method: 'PATCH',
    path: '/operator/v1/billing',
    summary: 'Set prices, seller and numbering',
    description:
      'For invoices from now on; what was issued stays as it is. `next_number` can be set until the first invoice has a number: afterwards they follow each other without gaps.',
    body: closed({
      currency: Type.Optional(nullable(Currency)),
      tax_percent: Type.Optional(TaxPercent),
      prices,
      seller: Type.Optional(partyChange),
      number_prefix: Type.Optional(
        Type.String({ pattern: '^[A-Za-z0-9/_.-]{0,20}$', examples: ['R-'], [KEEPS_EMPTY]: true }),
      ),
      next_number: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
      due_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 365, examples: [14] })),
      note: Type.Optional(Type.String({ maxLength: 1_000, ...severalLines, [KEEPS_EMPTY]: true })),
    }),
    answers: { 200: Billing },
    errors: [],
    sdk: 'billing',
    cli: ['billing set'],
    example: { currency: 'EUR', tax_percent: 19, prices: { pro: 1_900, max: 4_900 } },
  }),
  setBillingWebhook: operation({
    ...onOperator,
    id: 'setBillingWebhook',
    method: 'PUT',
    path: '/operator/v1/billing/webhook',
    summary: 'Set the receiver of invoice webhooks',
    description:
      'Every invoice with a number is posted there as `{"type": "invoice.issued" or "invoice.paid" or "invoice.reopened", "invoice": …}` and signed like every webhook, until it is taken with a 2xx; for 30 days at most. Makes a new secret.',
    body: closed({ url: HttpUrl }),
    answers: { 200: BillingWebhookSecret },
    errors: [],
    sdk: 'billing',
  }),
  removeBillingWebhook: operation({
    ...onOperator,
    id: 'removeBillingWebhook',
    method: 'DELETE',
    path: '/operator/v1/billing/webhook',
    summary: 'Remove the receiver of invoice webhooks',
    answers: { 204: null },
    errors: [],
    sdk: 'billing',
  }),
  getAccountBilling: operation({
    ...onAccount,
    id: 'getAccountBilling',
    method: 'GET',
    path: '/operator/v1/accounts/{account_id}/billing',
    summary: 'Get what was agreed with an account, and its address',
    answers: { 200: AccountBilling },
    errors: [],
    sdk: 'billing.getOfAccount',
    cli: ['billing show'],
    run: {},
  }),
  updateAccountBilling: operation({
    ...onAccount,
    id: 'updateAccountBilling',
    method: 'PATCH',
    path: '/operator/v1/accounts/{account_id}/billing',
    summary: 'Set prices and address of an account',
    body: closed({
      currency: Type.Optional(nullable(Currency)),
      tax_percent: Type.Optional(nullable(TaxPercent)),
      prices,
      buyer: Type.Optional(partyChange),
    }),
    answers: { 200: AccountBilling },
    errors: [],
    sdk: 'billing.updateOfAccount',
    cli: ['billing set'],
    example: { prices: { pro: 1_500 }, buyer: { name: 'Harbour Books Ltd' } },
  }),
  runInvoices: operation({
    ...onOperator,
    id: 'runInvoices',
    method: 'POST',
    path: '/operator/v1/invoices/run',
    summary: 'Close due periods',
    description: `Makes one invoice per number and finished period. They are also made automatically, at most ${INVOICE_WITHIN_MINUTES} minutes after a period has ended.`,
    body: closed({ until: Type.Optional(IsoTimeInput) }),
    bodyOptional: true,
    answers: { 200: InvoiceList },
    errors: [],
    sdk: 'invoices',
    cli: ['invoice run'],
    example: { until: '2026-08-01T00:00:00Z' },
  }),
  listInvoices: operation({
    ...onOperator,
    id: 'listInvoices',
    method: 'GET',
    path: '/operator/v1/invoices',
    summary: 'List invoices',
    query: closed({
      ...chosen,
      order: Type.Optional(oneOf(['oldest_first', 'newest_first'], { default: 'oldest_first' })),
      ...listPage,
    }),
    answers: { 200: InvoicePage },
    errors: [],
    sdk: 'invoices',
    cli: ['invoice list'],
    run: {},
  }),
  exportInvoices: operation({
    ...onOperator,
    ...csvAnswer,
    id: 'exportInvoices',
    method: 'GET',
    path: '/operator/v1/invoices.csv',
    summary: 'List invoices as CSV',
    query: closed(chosen),
    errors: [],
    sdk: 'invoices.csv',
    run: {},
  }),
  getInvoice: operation({
    ...onInvoice,
    id: 'getInvoice',
    method: 'GET',
    path: '/operator/v1/invoices/{invoice_id}',
    summary: 'Get an invoice',
    listBound: 'The lines of one invoice: one for each number.',
    answers: { 200: Invoice },
    errors: [],
    sdk: 'invoices',
  }),
  getInvoicePdf: operation({
    ...onInvoice,
    ...pdfAnswer,
    id: 'getInvoicePdf',
    method: 'GET',
    path: '/operator/v1/invoices/{invoice_id}/pdf',
    summary: 'Get an invoice as PDF',
    errors: [],
    sdk: 'invoices.pdf',
    cli: ['invoice pdf'],
  }),
  markInvoicePaid: operation({
    ...onInvoice,
    id: 'markInvoicePaid',
    method: 'POST',
    path: '/operator/v1/invoices/{invoice_id}/paid',
    summary: 'Mark an invoice as paid',
    description: 'Payments are made elsewhere; this says that one was. Once more changes nothing.',
    body: closed({ paid_at: Type.Optional(IsoTimeInput), reference: Type.Optional(line(200)) }),
    bodyOptional: true,
    answers: { 200: Invoice },
    errors: ['invoice_without_charge'],
    sdk: 'invoices',
    cli: ['invoice paid'],
    example: { reference: 'bank transfer 4711' },
  }),
  reopenInvoice: operation({
    ...onInvoice,
    id: 'reopenInvoice',
    method: 'DELETE',
    path: '/operator/v1/invoices/{invoice_id}/paid',
    summary: 'Mark an invoice as not paid after all',
    answers: { 200: Invoice },
    errors: ['invoice_without_charge'],
    sdk: 'invoices',
  }),
};
