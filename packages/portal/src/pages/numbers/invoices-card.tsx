import { call, useResource } from '../../api/index.ts';
import { numberTexts } from '../../texts/numbers.ts';
import { Card, Loaded, Table } from '../../ui/index.ts';
import { invoiceColumns } from '../billing/invoice-columns.tsx';

const COLUMNS = invoiceColumns(({ invoice_id }) => `/portal/billing/${invoice_id}`);

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
