import type { Invoice, Party } from '@parley/contract';
import mark from '../../../../gateway/src/surfaces/reference/assets/mark.svg';
import { invoiceStatuses, invoiceTexts } from '../../texts/billing.ts';
import { words } from '../../texts/common.ts';
import { planNames } from '../../texts/labels.ts';
import { formatDay, formatMoney, formatNumber, formatPhone } from '../../ui/index.ts';
import './sheet.css';

/** Printable invoice. */
export function Sheet({ invoice }: { invoice: Invoice }) {
  const { number, seller, buyer, paid_at, due_at, payment_reference: reference } = invoice;
  return (
    <article class="sheet">
      <header>
        {seller?.name ? (
          <PartyLines party={seller} />
        ) : (
          <span class="brand">
            <img src={mark} alt="" width="32" height="32" />
            {words.product}
          </span>
        )}
        <span>
          <strong>{number === null ? invoiceTexts.statement : invoiceTexts.number}</strong>{' '}
          <code>{number ?? invoice.invoice_id}</code>
        </span>
      </header>
      <dl>
        <dt>{invoiceTexts.billedTo}</dt>
        <dd>{buyer && <PartyLines party={buyer} />}</dd>
        <dt>{invoiceTexts.phone}</dt>
        <dd>{formatPhone(invoice.phone)}</dd>
        <dt>{invoiceTexts.period}</dt>
        <dd>
          {formatDay(invoice.period_start)} – {formatDay(invoice.period_end)}
        </dd>
        <dt>{invoiceTexts.issued}</dt>
        <dd>{formatDay(invoice.issued_at)}</dd>
        {due_at !== null && paid_at === null && (
          <>
            <dt>{invoiceTexts.due}</dt>
            <dd>{formatDay(due_at)}</dd>
          </>
        )}
        {paid_at !== null && (
          <>
            <dt>{invoiceTexts.paid}</dt>
            <dd>
              {formatDay(paid_at)}
              {reference !== null && ` (${reference})`}
            </dd>
          </>
        )}
      </dl>
      <Sums invoice={invoice} />
      <Usage invoice={invoice} />
      <footer>
        {invoice.note !== '' && <p class="sheet-note">{invoice.note}</p>}
        <p>
          {number === null && `${invoiceStatuses.no_charge}. `}
          {invoiceTexts.foot} {invoiceTexts.utc}
        </p>
      </footer>
    </article>
  );
}

function PartyLines({ party: { name, address, tax_id, email } }: { party: Party }) {
  const lines = [...address.split('\n'), tax_id && invoiceTexts.taxId(tax_id), email];
  return (
    <address>
      <strong>{name}</strong>
      {lines.filter(Boolean).map((line) => (
        <span key={line}>{line}</span>
      ))}
    </address>
  );
}

function Sums({ invoice: { currency, net, tax, tax_percent, total, lines } }: { invoice: Invoice }) {
  if (currency === null || net === null || tax === null || total === null) return null;
  const money = (amount: number) => formatMoney(amount, currency);
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{invoiceTexts.service}</th>
          <th scope="col">{invoiceTexts.amount}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ description, amount }) => (
          <tr key={description}>
            <td class="sheet-line">{description}</td>
            <td>{money(amount)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{invoiceTexts.net}</th>
          <td>{money(net)}</td>
        </tr>
        <tr>
          <th scope="row">{invoiceTexts.tax(tax_percent ?? 0)}</th>
          <td>{money(tax)}</td>
        </tr>
        <tr class="sheet-total">
          <th scope="row">{invoiceTexts.total}</th>
          <td>{money(total)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

function Usage({ invoice: { plan, quota, used } }: { invoice: Invoice }) {
  return (
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
          <td>{planNames[plan]}</td>
          <td>{formatNumber(quota)}</td>
          <td>{formatNumber(used)}</td>
        </tr>
      </tbody>
    </table>
  );
}
