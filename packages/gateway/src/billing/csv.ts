import type { Invoice } from '@parley/contract';
import { decimal } from './money.ts';

const COLUMNS = [
  ...['number', 'invoice_id', 'account_id', 'buyer', 'phone', 'plan', 'period_start', 'period_end'],
  ...['quota', 'used', 'currency', 'net', 'tax_percent', 'tax', 'total'],
  ...['status', 'issued_at', 'due_at', 'paid_at', 'payment_reference'],
] as const;

/** As RFC 4180 says, amounts as decimal numbers. */
export function toCsv(invoices: readonly Invoice[]): string {
  const rows = invoices.map((invoice) => {
    const { currency } = invoice;
    const money = (amount: number | null) =>
      amount === null || currency === null ? null : decimal(amount, currency);
    const shown: Record<string, unknown> = {
      ...invoice,
      buyer: invoice.buyer?.name,
      net: money(invoice.net),
      tax: money(invoice.tax),
      total: money(invoice.total),
    };
    return COLUMNS.map((column) => field(shown[column])).join(',');
  });
  return [COLUMNS.join(','), ...rows, ''].join('\r\n');
}

/** A spreadsheet would run what begins like a formula; quoted by an apostrophe it shows it instead. */
function field(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
