import type { Plan } from '@parley/contract';

export interface BillingTables {
  billing_settings: BillingSettingsRow;
  account_billing: AccountBillingRow;
  invoices: InvoiceRow;
  invoice_numbers: { number: string; invoice_id: string };
  billing_notices: BillingNoticeRow;
}

/** One row, of the whole gateway. */
export interface BillingSettingsRow {
  id: 'gateway';
  /** Null: nothing has a price. */
  currency: string | null;
  /** Thousandths of a percent. */
  tax_millipercent: number;
  /** JSON: amounts by plan. */
  prices: string;
  /** JSON. */
  seller: string;
  number_prefix: string;
  next_number: number;
  due_days: number;
  note: string;
  webhook_url: string | null;
  /** Sealed. */
  webhook_secret: Uint8Array | null;
}

/** What was agreed with one account, in place of the general prices. */
export interface AccountBillingRow {
  account_id: string;
  currency: string | null;
  tax_millipercent: number | null;
  prices: string;
  buyer: string;
}

/** As it was issued: nothing of it follows later changes of prices or addresses. */
export interface InvoiceRow {
  id: string;
  account_id: string;
  slot_id: string;
  phone: string;
  plan: Plan;
  period_start: number;
  period_end: number;
  quota: number;
  used: number;
  issued_at: number;
  /** Null: asks for nothing. */
  number: string | null;
  currency: string | null;
  net: number | null;
  tax_millipercent: number | null;
  tax: number | null;
  total: number | null;
  lines: string | null;
  seller: string | null;
  buyer: string | null;
  note: string | null;
  due_at: number | null;
  paid_at: number | null;
  payment_reference: string | null;
}

/** Something of an invoice that the operator's billing system has not been told yet. */
export interface BillingNoticeRow {
  id: string;
  invoice_id: string;
  kind: 'invoice.issued' | 'invoice.paid' | 'invoice.reopened';
  attempts: number;
  /** When it may be tried. Whoever tries it moves this first, so that nobody else does at the same time. */
  due_at: number;
  last_error: string | null;
  created_at: number;
}
