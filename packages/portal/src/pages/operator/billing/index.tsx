import type { Billing } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, type Resource, useResource } from '../../../api/index.ts';
import { inBackground } from '../../../kernel/background.ts';
import { billingTexts } from '../../../texts/billing.ts';
import { nav } from '../../../texts/common.ts';
import { operatorBillingTexts as texts } from '../../../texts/operator-billing.ts';
import { Button, Card, Fact, Facts, Loaded, Note, PageHead } from '../../../ui/index.ts';
import { PartyDialog } from '../../billing/party-dialog.tsx';
import '../operator.css';
import { InvoicesCard } from './invoices-card.tsx';
import { NumberingDialog } from './numbering-dialog.tsx';
import { PriceFacts } from './price-facts.tsx';
import { PricesDialog } from './prices-dialog.tsx';
import { WebhookCard } from './webhook-card.tsx';

export default function OperatorBillingPage() {
  const billing = useResource(() => call('getBilling'), []);
  return (
    <>
      <PageHead title={nav.billing} lead={texts.lead} />
      <div class="stack stack-loose">
        <Loaded resource={billing}>
          {(data) => (
            <>
              <PricesCard billing={data} resource={billing} />
              <SellerCard billing={data} resource={billing} />
              <WebhookCard webhook={data.webhook} onChanged={() => inBackground(billing.reload())} />
            </>
          )}
        </Loaded>
        <InvoicesCard />
      </div>
    </>
  );
}

interface CardProps {
  readonly billing: Billing;
  readonly resource: Resource<Billing>;
}

function PricesCard({ billing, resource }: CardProps) {
  const edits = useSignal(false);
  return (
    <Card
      title={texts.prices}
      actions={
        <Button small onClick={() => (edits.value = true)}>
          {texts.edit}
        </Button>
      }
    >
      {billing.currency === null ? (
        <Note icon="info">{texts.noCurrency}</Note>
      ) : (
        <PriceFacts terms={billing} currency={billing.currency} />
      )}
      {edits.value && (
        <PricesDialog
          title={texts.prices}
          lead={texts.pricesText}
          terms={billing}
          onSave={async ({ tax_percent, ...change }) =>
            resource.replace(
              await call('updateBilling', { body: { ...change, tax_percent: tax_percent ?? 0 } }),
            )
          }
          onClose={() => (edits.value = false)}
        />
      )}
    </Card>
  );
}

function SellerCard({ billing, resource }: CardProps) {
  const edits = useSignal<'seller' | 'numbering' | undefined>(undefined);
  const { seller, number_prefix, next_number, due_days, note } = billing;
  const close = () => (edits.value = undefined);
  return (
    <Card
      title={texts.seller}
      actions={
        <>
          <Button small onClick={() => (edits.value = 'seller')}>
            {texts.sellerTitle}
          </Button>
          <Button small onClick={() => (edits.value = 'numbering')}>
            {texts.numbering}
          </Button>
        </>
      }
    >
      <Facts fit="wide">
        <Fact name={billingTexts.name}>{seller.name || texts.notSet}</Fact>
        <Fact name={billingTexts.street}>
          <span class="lines">{seller.address || texts.notSet}</span>
        </Fact>
        <Fact name={billingTexts.taxId}>{seller.tax_id || texts.notSet}</Fact>
        <Fact name={texts.next}>
          <code>
            {number_prefix}
            {String(next_number).padStart(5, '0')}
          </code>
        </Fact>
        <Fact name={texts.due}>{due_days}</Fact>
        <Fact name={texts.note}>
          <span class="lines">{note || texts.notSet}</span>
        </Fact>
      </Facts>
      {edits.value === 'seller' && (
        <PartyDialog
          title={texts.sellerTitle}
          party={seller}
          onSave={async (party) => resource.replace(await call('updateBilling', { body: { seller: party } }))}
          onClose={close}
        />
      )}
      {edits.value === 'numbering' && (
        <NumberingDialog billing={billing} onChanged={resource.replace} onClose={close} />
      )}
    </Card>
  );
}
