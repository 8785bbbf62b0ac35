import type { Invoice } from '@parley/contract';
import { call, useResource } from '../../api/index.ts';
import { planNames } from '../../texts/labels.ts';
import { invoiceTexts, numbersTexts, numberTexts } from '../../texts/numbers.ts';
import { Card, type Column, formatDay, formatNumber, Loaded, Table } from '../../ui/index.ts';

const COLUMNS: readonly Column<Invoice>[] = [
  {
    title: invoiceTexts.period,
    cell: ({ phone, invoice_id, period_start, period_end }) => (
      <a href={`/portal/numbers/${phone}/invoices/${invoice_id}`}>
        {formatDay(period_start)} – {formatDay(period_end)}
      </a>
    ),
    share: 2,
  },
  { title: invoiceTexts.plan, cell: ({ plan }) => planNames[plan], secondary: true },
  {
    title: numbersTexts.used,
    cell: ({ used, quota }) => `${formatNumber(used)} / ${formatNumber(quota)}`,
    atEnd: true,
  },
];

export function InvoicesCard({ phone }: { phone: string }) {
  const invoices = useResource(() => call('listNumberInvoices', { params: { phone } }), [phone]);
  return (
    <Card title={numberTexts.invoices} flush>
      <Loaded resource={invoices}>
        {({ invoices: list }) =>
          list.length === 0 ? (
            <p class="card-note quiet">{numberTexts.noInvoices}</p>
          ) : (
            <Table
              label={numberTexts.invoices}
              columns={COLUMNS}
              rows={list}
              keyOf={({ invoice_id }) => invoice_id}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
