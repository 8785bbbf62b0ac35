import type { Invoice } from '@parley/contract';
import { useRoute } from 'preact-iso';
import mark from '../../../../gateway/src/reference/assets/mark.svg';
import { call, useResource } from '../../api/index.ts';
import { me } from '../../state/visit.ts';
import { words } from '../../texts/common.ts';
import { planNames } from '../../texts/labels.ts';
import { invoiceTexts } from '../../texts/numbers.ts';
import { Button, Empty, formatDay, formatNumber, formatPhone, Loaded, PageHead } from '../../ui/index.ts';
import './invoice.css';

/** One invoice, as it comes out of a printer. */
export default function InvoicePage() {
  const { phone = '', invoice = '' } = useRoute().params;
  const invoices = useResource(() => call('listNumberInvoices', { params: { phone } }), [phone]);
  return (
    <>
      <PageHead
        title={invoiceTexts.title}
        back={{ href: `/portal/numbers/${phone}`, label: formatPhone(phone) }}
      >
        <Button icon="print" onClick={() => window.print()}>
          {invoiceTexts.print}
        </Button>
      </PageHead>
      <Loaded resource={invoices}>
        {({ invoices: list }) => {
          const found = list.find(({ invoice_id }) => invoice_id === invoice);
          return found ? (
            <Sheet invoice={found} />
          ) : (
            <Empty icon="document" title={invoiceTexts.missingTitle}>
              {invoiceTexts.missingText}
            </Empty>
          );
        }}
      </Loaded>
    </>
  );
}

function Sheet({ invoice }: { invoice: Invoice }) {
  return (
    <article class="sheet">
      <header>
        <span class="brand">
          <img src={mark} alt="" width="32" height="32" />
          {words.product}
        </span>
        <span>
          <strong>{invoiceTexts.number}</strong> <code>{invoice.invoice_id}</code>
        </span>
      </header>
      <dl>
        <dt>{invoiceTexts.account}</dt>
        <dd>
          {me.value?.name}
          <br />
          {me.value?.email}
        </dd>
        <dt>{invoiceTexts.phone}</dt>
        <dd>{formatPhone(invoice.phone)}</dd>
        <dt>{invoiceTexts.period}</dt>
        <dd>
          {formatDay(invoice.period_start)} – {formatDay(invoice.period_end)}
        </dd>
        <dt>{invoiceTexts.issued}</dt>
        <dd>{formatDay(invoice.issued_at)}</dd>
      </dl>
      <table>
        <thead>
          <tr>
            <th scope="col">{invoiceTexts.plan}</th>
            <th scope="col">{invoiceTexts.included}</th>
            <th scope="col">{invoiceTexts.used}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>{planNames[invoice.plan]}</td>
            <td>{formatNumber(invoice.quota)}</td>
            <td>{formatNumber(invoice.used)}</td>
          </tr>
        </tbody>
      </table>
      <footer>{invoiceTexts.foot}</footer>
    </article>
  );
}
