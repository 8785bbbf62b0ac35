import type { Invoice } from '@parley/contract';
import { csvOf } from '#kernel';
import { decimal } from './money.ts';

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
