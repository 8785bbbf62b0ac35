import { useRoute } from 'preact-iso';
import { call, useResource } from '../../api/index.ts';
import { invoiceTexts } from '../../texts/billing.ts';
import { nav } from '../../texts/common.ts';
import { Button, LinkButton, Loaded, PageHead } from '../../ui/index.ts';
import { Sheet } from './sheet.tsx';

export default function InvoicePage() {
  const { invoice: invoice_id = '' } = useRoute().params;
  const invoice = useResource(() => call('getMyInvoice', { params: { invoice_id } }), [invoice_id]);
  return (
    <>
      <PageHead title={invoiceTexts.title} back={{ href: '/portal/billing', label: nav.billing }}>
        <LinkButton icon="document" href={`/portal/api/invoices/${invoice_id}/pdf`} target="_blank">
          {invoiceTexts.pdf}
        </LinkButton>
        <Button icon="print" onClick={() => window.print()}>
          {invoiceTexts.print}
        </Button>
      </PageHead>
      <Loaded resource={invoice}>{(found) => <Sheet invoice={found} />}</Loaded>
    </>
  );
}
