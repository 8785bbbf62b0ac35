import Type from 'typebox';
import { AMOUNT_MAX } from '../limits.ts';
import { PLANS } from '../plans.ts';
import { IsoTime, Phone } from '../primitives.ts';
import {
  EXPECTS,
  KEEPS_EMPTY,
  named,
  nextCursor,
  nullable,
  oneLine,
  oneOf,
  severalLines,
} from '../schema.ts';

export const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'ISO 4217.',
  examples: ['EUR'],
  [EXPECTS]: 'a currency of ISO 4217 such as EUR',
});

export const Amount = Type.Integer({
  minimum: 0,
  maximum: AMOUNT_MAX,
  description: 'In the smallest unit of the currency: 1900 is 19.00 EUR, or 1900 JPY.',
  examples: [1_900],
});

export const TaxPercent = Type.Number({
  minimum: 0,
  maximum: 100,
  examples: [19],
  [EXPECTS]: 'a number from 0 to 100 with at most 3 decimals',
});

const detail = (maxLength: number, examples: string[]) =>
  Type.String({ maxLength, ...oneLine, examples, [KEEPS_EMPTY]: true });
/** Seller or buyer on an invoice. */
export const Party = Type.Object({
  name: detail(200, ['Harbour Books Ltd']),
  address: Type.String({
    maxLength: 1_000,
    ...severalLines,
    examples: ['1 Quay Street\nPortsmouth'],
    [KEEPS_EMPTY]: true,
  }),
  tax_id: detail(64, ['GB123456789']),
  email: detail(200, ['accounts@example.com']),
});
export type Party = Type.Static<typeof Party>;

/** Per number and period. A plan without a price costs nothing; its invoices list usage only. */
export const PlanPrices = Type.Object({
  free: nullable(Amount),
  pro: nullable(Amount),
  max: nullable(Amount),
  partner: nullable(Amount),
});
export type PlanPrices = Type.Static<typeof PlanPrices>;

export const Billing = named('Billing', {
  currency: nullable(Currency, { description: 'Null: nothing has a price.' }),
  tax_percent: Type.Number({ examples: [19] }),
  prices: PlanPrices,
  seller: Party,
  number_prefix: Type.String({ description: 'What invoice numbers begin with.', examples: ['R-'] }),
  next_number: Type.Integer({
    description: 'Of the next invoice. They follow each other without gaps.',
    examples: [43],
  }),
  due_days: Type.Integer({
    description: 'How many days after it was issued an invoice is due.',
    examples: [14],
  }),
  note: Type.String({
    description: 'Stands below every invoice: how to pay, for instance.',
    examples: ['Please pay within 14 days.'],
  }),
  webhook: nullable(
    Type.Object({
      url: Type.String({ examples: ['https://billing.example.com/parley'] }),
      waiting: Type.Integer({ description: 'How many notices have not been taken yet.', examples: [0] }),
      last_error: nullable(Type.String({ examples: ['answered 503'] }), {
        description: 'Why the oldest of them was not.',
      }),
    }),
    { description: 'Receiver of webhooks about issued and paid invoices.' },
  ),
});
export type Billing = Type.Static<typeof Billing>;

export const BillingWebhookSecret = named('BillingWebhookSecret', {
  url: Type.String({ examples: ['https://billing.example.com/parley'] }),
  secret: Type.String({
    description: 'Signs every notice. Shown only now.',
    examples: ['whsec_nB3kq8VtY0dM2c7RxZs1uGfJpW5aHe9L'],
  }),
});

export const AccountBilling = named('AccountBilling', {
  currency: nullable(Currency, {
    description: 'In place of the general one, whose prices then do not count for this account.',
  }),
  tax_percent: nullable(Type.Number({ examples: [0] }), { description: 'In place of the general one.' }),
  prices: PlanPrices,
  buyer: Party,
});
export type AccountBilling = Type.Static<typeof AccountBilling>;

export const INVOICE_STATUSES = ['open', 'paid', 'no_charge'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

const money = {
  currency: nullable(Type.String({ examples: ['EUR'] }), {
    description: 'ISO 4217. Null: the plan had no price.',
  }),
  net: nullable(Type.Integer({ examples: [1_900] }), {
    description: 'In the smallest unit of the currency.',
  }),
  tax_percent: nullable(Type.Number({ examples: [19] })),
  tax: nullable(Type.Integer({ examples: [361] })),
  total: nullable(Type.Integer({ examples: [2_261] })),
};
export const Money = Type.Object(money);
export type Money = Type.Static<typeof Money>;

export const Invoice = named('Invoice', {
  invoice_id: Type.String({ examples: ['inv_01j9z6m4k2'] }),
  account_id: Type.String(),
  phone: Phone,
  plan: oneOf(PLANS),
  period_start: IsoTime,
  period_end: IsoTime,
  quota: Type.Integer(),
  used: Type.Integer(),
  issued_at: IsoTime,
  number: nullable(Type.String({ examples: ['R-00042'] }), {
    description: 'Null: nothing is charged, and the invoice lists usage only.',
  }),
  status: oneOf(INVOICE_STATUSES),
  ...money,
  lines: Type.Array(
    Type.Object({
      description: Type.String({ examples: ['Plan Pro for +15550001001, 1 Jul 2026 – 1 Aug 2026'] }),
      amount: Type.Integer({ examples: [1_900] }),
    }),
  ),
  due_at: nullable(IsoTime),
  paid_at: nullable(IsoTime),
  payment_reference: nullable(Type.String({ examples: ['bank transfer 4711'] })),
  seller: nullable(Party),
  buyer: nullable(Party),
  note: Type.String({ examples: ['Please pay within 14 days.'] }),
});
export type Invoice = Type.Static<typeof Invoice>;
export const InvoiceList = named('InvoiceList', { invoices: Type.Array(Invoice) });
export const InvoicePage = named('InvoicePage', { invoices: Type.Array(Invoice), next_cursor: nextCursor });

export const AccountUsage = named('AccountUsage', {
  buyer: Party,
  numbers: Type.Array(
    Type.Object({
      phone: Phone,
      plan: oneOf(PLANS),
      period_start: IsoTime,
      period_end: IsoTime,
      quota: Type.Integer(),
      used: Type.Integer(),
      forecast_used: nullable(Type.Integer(), {
        description: 'At the end of the period, if it goes on like this. Null in its first day.',
      }),
      quota_ends_at: nullable(IsoTime, {
        description: 'When the quota is used up, if it goes on like this and that is before the end.',
      }),
      price: Money,
    }),
  ),
});
export type AccountUsage = Type.Static<typeof AccountUsage>;

const terms = {
  plan: oneOf(PLANS),
  quota: Type.Integer(),
  per_minute: Type.Integer(),
  price: Money,
};
export const PlanPreview = named('PlanPreview', {
  current: Type.Object(terms),
  next: Type.Object(terms),
  used: Type.Integer({ description: 'Counts on under the new plan: nothing of it is forgotten.' }),
  period_end: IsoTime,
  closing: Type.Object(money, {
    description: 'What the period that the change ends costs, by the days that it lasted.',
  }),
});
export type PlanPreview = Type.Static<typeof PlanPreview>;
