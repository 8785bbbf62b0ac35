import type { Invoice, InvoiceStatus, Plan } from '@parley/contract';
import type { InvoiceRow } from '#platform/store';
import { NO_BUYER, toPercent } from './prices.ts';

function statusOf({ number, paid_at }: InvoiceRow): InvoiceStatus {
  if (number === null) return 'no_charge';
  return paid_at === null ? 'open' : 'paid';
}

export function publicInvoice(row: InvoiceRow): Invoice {
  const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
  const party = (json: string | null) => (json === null ? null : { ...NO_BUYER, ...JSON.parse(json) });
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

const PLAN_NAMES: Readonly<Record<Plan, string>> = {
  free: 'Free',
  pro: 'Pro',
  max: 'Max',
  partner: 'Partner',
};

/** `1 Jul 2026`, in UTC like the periods themselves. Not by `Intl.DateTimeFormat`: loading its data takes 25 ms of every start. */
export function dayOf(at: number | string): string {
  const [, day, month, year] = new Date(at).toUTCString().split(' ');
  return `${Number(day)} ${month} ${year}`;
}

export function lineOf(
  phone: string,
  period: {
    readonly plan: Plan;
    readonly started_at: number;
    readonly ends_at: number;
    readonly planned_end: number | null;
  },
): string {
  const days = `${dayOf(period.started_at)} – ${dayOf(period.ends_at)}`;
  const cut = period.planned_end !== null && period.planned_end > period.ends_at;
  const share = cut ? ', for the days until the plan changed' : '';
  return `Plan ${PLAN_NAMES[period.plan]} for +${phone}, ${days}${share}`;
}
