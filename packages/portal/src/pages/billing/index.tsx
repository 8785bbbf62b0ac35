import type { AccountUsage, Party } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useGrowingList, useResource } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { may } from '../../state/visit.ts';
import { billingTexts } from '../../texts/billing.ts';
import { nav, words } from '../../texts/common.ts';
import { planNames } from '../../texts/labels.ts';
import {
  Button,
  Card,
  type Column,
  Empty,
  Fact,
  Facts,
  formatDay,
  formatMoney,
  formatNumber,
  formatPhone,
  LinkButton,
  Loaded,
  More,
  PageHead,
  Table,
} from '../../ui/index.ts';
import { invoiceColumns } from './invoice-columns.tsx';
import { PartyDialog } from './party-dialog.tsx';

type Usage = AccountUsage['numbers'][number];

export default function BillingPage() {
  const usage = useResource(() => call('getMyUsage'), []);
  return (
    <>
      <PageHead title={nav.billing} lead={billingTexts.lead} />
      <div class="stack stack-loose">
        <Loaded resource={usage}>
          {(data) => (
            <>
              <UsageCard numbers={data.numbers} />
              <AddressCard buyer={data.buyer} onChanged={() => inBackground(usage.reload())} />
            </>
          )}
        </Loaded>
        <InvoicesCard />
      </div>
    </>
  );
}

const COLUMNS: readonly Column<Usage>[] = [
  {
    title: billingTexts.number,
    cell: ({ phone }) => <a href={`/portal/numbers/${phone}`}>{formatPhone(phone)}</a>,
    share: 1.5,
  },
  { title: billingTexts.plan, cell: ({ plan }) => planNames[plan], share: 0.8, secondary: true },
  { title: billingTexts.used, cell: ({ used, quota }) => billingTexts.usedOf(used, quota), share: 1.4 },
  { title: billingTexts.forecast, cell: forecastOf, share: 1.4, secondary: true },
  { title: billingTexts.until, cell: ({ period_end }) => formatDay(period_end), secondary: true },
  {
    title: billingTexts.price,
    cell: ({ price: { total, currency } }) =>
      total === null || currency === null ? billingTexts.noPrice : formatMoney(total, currency),
    atEnd: true,
  },
];

function forecastOf({ forecast_used, quota_ends_at }: Usage) {
  if (quota_ends_at !== null) return <strong>{billingTexts.quotaEnds(quota_ends_at)}</strong>;
  if (forecast_used === null) return <span class="quiet">{billingTexts.forecastEarly}</span>;
  return formatNumber(forecast_used);
}

function UsageCard({ numbers }: { numbers: readonly Usage[] }) {
  const total = totalOf(numbers);
  return (
    <Card title={billingTexts.usage} flush>
      {numbers.length === 0 ? (
        <Empty
          icon="card"
          title={billingTexts.usageEmptyTitle}
          action={
            <LinkButton look="primary" icon="phone" href="/portal/numbers">
              {words.toStart}
            </LinkButton>
          }
        >
          {billingTexts.usageEmpty}
        </Empty>
      ) : (
        <Table label={billingTexts.usage} columns={COLUMNS} rows={numbers} keyOf={({ phone }) => phone} />
      )}
      {total !== undefined && <p class="card-note quiet">{billingTexts.sum(total)}</p>}
    </Card>
  );
}

/** Sum of the prices; undefined without prices or with several currencies. */
function totalOf(numbers: readonly Usage[]): string | undefined {
  const currencies = new Set(numbers.flatMap(({ price }) => price.currency ?? []));
  const [currency] = currencies;
  if (currency === undefined || currencies.size > 1) return undefined;
  return formatMoney(
    numbers.reduce((sum, { price }) => sum + (price.total ?? 0), 0),
    currency,
  );
}

function AddressCard({ buyer, onChanged }: { buyer: Party; onChanged: () => void }) {
  const edits = useSignal(false);
  return (
    <Card
      title={billingTexts.address}
      actions={
        may('administer') && (
          <Button small onClick={() => (edits.value = true)}>
            {billingTexts.changeAddress}
          </Button>
        )
      }
    >
      <Facts fit="wide">
        <Fact name={billingTexts.name}>{buyer.name}</Fact>
        <Fact name={billingTexts.street}>
          <span class="lines">{buyer.address || '–'}</span>
        </Fact>
        <Fact name={billingTexts.taxId}>{buyer.tax_id || '–'}</Fact>
        <Fact name={billingTexts.email}>{buyer.email}</Fact>
      </Facts>
      {edits.value && (
        <PartyDialog
          title={billingTexts.addressTitle}
          party={buyer}
          onSave={async (body) => {
            await call('changeMyAddress', { body });
            onChanged();
          }}
          onClose={() => (edits.value = false)}
        />
      )}
    </Card>
  );
}

const INVOICE_COLUMNS = invoiceColumns(({ invoice_id }) => `/portal/billing/${invoice_id}`);

function InvoicesCard() {
  const invoices = useGrowingList((page) => call('listMyInvoices', { query: page }), []);
  return (
    <Card
      title={billingTexts.invoices}
      flush
      actions={
        <LinkButton small icon="document" href="/portal/api/invoices.csv" target="_blank">
          {billingTexts.csv}
        </LinkButton>
      }
    >
      <Loaded resource={invoices}>
        {({ invoices: list }) =>
          list.length === 0 ? (
            <p class="card-note quiet">{billingTexts.invoicesEmpty}</p>
          ) : (
            <Table
              label={billingTexts.invoices}
              columns={INVOICE_COLUMNS}
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
