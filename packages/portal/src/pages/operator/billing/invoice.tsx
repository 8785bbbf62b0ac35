import type { Invoice } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useRoute } from 'preact-iso';
import { call, useAction, useResource } from '../../../api/index.ts';
import { inBackground } from '../../../kernel/background.ts';
import { invoiceTexts } from '../../../texts/billing.ts';
import { nav } from '../../../texts/common.ts';
import { operatorBillingTexts as texts } from '../../../texts/operator-billing.ts';
import {
  Button,
  ErrorNote,
  FormDialog,
  LinkButton,
  Loaded,
  PageHead,
  TextField,
  toast,
} from '../../../ui/index.ts';
import { InvoiceBadge } from '../../billing/invoice-columns.tsx';
import { Sheet } from '../../billing/sheet.tsx';

export default function OperatorInvoicePage() {
  const { invoice: invoice_id = '' } = useRoute().params;
  const invoice = useResource(() => call('getInvoice', { params: { invoice_id } }), [invoice_id]);
  const pays = useSignal(false);
  const { run: reopen, problem } = useAction(async () => {
    invoice.replace(await call('reopenInvoice', { params: { invoice_id } }));
    toast(texts.reopened);
  });
  const status = invoice.data?.status;
  return (
    <>
      <PageHead
        title={invoiceTexts.title}
        back={{ href: '/portal/operator/billing', label: nav.billing }}
        lead={status && <InvoiceBadge status={status} />}
      >
        {status === 'open' && (
          <Button look="primary" icon="check" onClick={() => (pays.value = true)}>
            {texts.markPaid}
          </Button>
        )}
        {status === 'paid' && <Button onClick={() => inBackground(reopen())}>{texts.reopen}</Button>}
        <LinkButton icon="document" href={`/operator/v1/invoices/${invoice_id}/pdf`} target="_blank">
          {invoiceTexts.pdf}
        </LinkButton>
      </PageHead>
      {problem.value && <ErrorNote problem={problem.value} />}
      <Loaded resource={invoice}>{(found) => <Sheet invoice={found} />}</Loaded>
      {pays.value && invoice.data && (
        <PaidDialog invoice={invoice.data} onPaid={invoice.replace} onClose={() => (pays.value = false)} />
      )}
    </>
  );
}

function PaidDialog({
  invoice: { invoice_id, number },
  onPaid,
  onClose,
}: {
  invoice: Invoice;
  onPaid: (invoice: Invoice) => void;
  onClose: () => void;
}) {
  const reference = useSignal('');
  return (
    <FormDialog
      title={texts.markPaidTitle(number ?? '')}
      submit={texts.markPaid}
      onSubmit={async () => {
        const given = reference.value.trim();
        const body = given === '' ? {} : { reference: given };
        onPaid(await call('markInvoicePaid', { params: { invoice_id }, body }));
        toast(texts.paid);
      }}
      onClose={onClose}
    >
      <TextField
        label={texts.reference}
        name="reference"
        hint={texts.referenceHint}
        optional
        autofocus
        maxLength={200}
        value={reference.value}
        onInput={(value) => (reference.value = value)}
      />
    </FormDialog>
  );
}
