import type { Invoice, InvoiceStatus } from '@parley/contract';
import type { InvoiceRow } from '#store';
import { toPercent } from './money.ts';
import { NOBODY } from './prices.ts';

function statusOf({ number, paid_at }: InvoiceRow): InvoiceStatus {
  if (number === null) return 'no_charge';
  return paid_at === null ? 'open' : 'paid';
}

export function publicInvoice(row: InvoiceRow): Invoice {
  const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
  const party = (json: string | null) => (json === null ? null : { ...NOBODY, ...JSON.parse(json) });
  return {
    invoice_id: row.id,
    account_id: row.account_id,
    phone: row.phone,
    plan: row.plan,
    period_start: new Date(row.period_start).toISOString(),
    period_end: new Date(row.period_end).toISOString(),
    quota: row.quota,
    used: row.used,
    issued_at: new Date(row.issued_at).toISOString(),
    number: row.number,
    status: statusOf(row),
    currency: row.currency,
    net: row.net,
    tax_percent: row.tax_millipercent === null ? null : toPercent(row.tax_millipercent),
    tax: row.tax,
    total: row.total,
    lines: row.lines === null ? [] : JSON.parse(row.lines),
    due_at: iso(row.due_at),
    paid_at: iso(row.paid_at),
    payment_reference: row.payment_reference,
    seller: party(row.seller),
    buyer: party(row.buyer),
    note: row.note ?? '',
  };
}
