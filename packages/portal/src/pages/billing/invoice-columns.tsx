import type { Invoice, InvoiceStatus } from '@parley/contract';
import { billingTexts, invoiceStatuses } from '../../texts/billing.ts';
import { planNames } from '../../texts/labels.ts';
import { Badge, type Column, formatDay, formatMoney, formatPhone, type Tone } from '../../ui/index.ts';

const TONES: Readonly<Record<InvoiceStatus, Tone>> = { open: 'waiting', paid: 'good', no_charge: 'idle' };

export function InvoiceBadge({ status }: { status: InvoiceStatus }) {
  return <Badge tone={TONES[status]}>{invoiceStatuses[status]}</Badge>;
}

/** Columns of every list of invoices; the first cell links to the invoice. */
export function invoiceColumns(hrefOf: (invoice: Invoice) => string): readonly Column<Invoice>[] {
  return [
    {
      title: billingTexts.period,
      cell: (invoice) => (
        <a href={hrefOf(invoice)}>
          {formatDay(invoice.period_start)} – {formatDay(invoice.period_end)}
        </a>
      ),
      share: 2,
    },
    {
      title: billingTexts.invoice,
      cell: ({ number }) => (number === null ? '–' : <code>{number}</code>),
      secondary: true,
    },
    {
      title: billingTexts.number,
      cell: ({ phone }) => formatPhone(phone),
      share: 1.4,
      secondary: true,
    },
    { title: billingTexts.plan, cell: ({ plan }) => planNames[plan], secondary: true },
    {
      title: billingTexts.total,
      cell: ({ total, currency }) =>
        total === null || currency === null ? '–' : formatMoney(total, currency),
    },
    {
      title: billingTexts.status,
      cell: ({ status }) => <InvoiceBadge status={status} />,
      share: 1.1,
      atEnd: true,
    },
  ];
}
