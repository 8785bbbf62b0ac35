import { INVOICE_STATUSES, type InvoiceStatus } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useAction, useGrowingList } from '../../../api/index.ts';
import { inBackground } from '../../../kernel/background.ts';
import { invoiceStatuses } from '../../../texts/billing.ts';
import { operatorBillingTexts as texts } from '../../../texts/operator-billing.ts';
import {
  Button,
  Card,
  ErrorNote,
  LinkButton,
  Loaded,
  More,
  SelectField,
  Table,
  toast,
} from '../../../ui/index.ts';
import { invoiceColumns } from '../../billing/invoice-columns.tsx';

type Filter = InvoiceStatus | 'all';

const FILTERS: readonly { value: Filter; label: string }[] = [
  { value: 'all', label: texts.all },
  ...INVOICE_STATUSES.map((status) => ({ value: status, label: invoiceStatuses[status] })),
];
const COLUMNS = invoiceColumns(({ invoice_id }) => `/portal/operator/billing/${invoice_id}`);

/** Newest first. */
export function InvoicesCard() {
  const filter = useSignal<Filter>('all');
  const chosen = filter.value === 'all' ? {} : { status: filter.value };
  const invoices = useGrowingList(
    (page) => call('listInvoices', { query: { ...chosen, ...page, order: 'newest_first' } }),
    [filter.value],
  );
  const { run, busy, problem } = useAction(async () => {
    const issued = await call('runInvoices', { body: {} });
    toast(texts.ran(issued.invoices.length));
    await invoices.reload();
  });
  return (
    <Card
      title={texts.invoices}
      flush
      actions={
        <>
          <LinkButton small icon="document" href="/operator/v1/invoices.csv" target="_blank">
            {texts.csv}
          </LinkButton>
          <Button small busy={busy.value} onClick={() => inBackground(run())}>
            {texts.run}
          </Button>
        </>
      }
    >
      <div class="card-note">
        <SelectField
          label={texts.filter}
          value={filter.value}
          choices={FILTERS}
          onChange={(value) => (filter.value = value)}
        />
        {problem.value && <ErrorNote problem={problem.value} />}
      </div>
      <Loaded resource={invoices}>
        {({ invoices: list }) =>
          list.length === 0 ? (
            <p class="card-note quiet">{texts.empty}</p>
          ) : (
            <Table
              label={texts.invoices}
              columns={COLUMNS}
              rows={list}
              keyOf={({ invoice_id }) => invoice_id}
            />
          )
        }
      </Loaded>
      <More list={invoices} shown={invoices.data?.invoices.length ?? 0} />
    </Card>
  );
}
