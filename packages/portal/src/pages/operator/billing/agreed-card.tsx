import { useSignal } from '@preact/signals';
import { call, useResource } from '../../../api/index.ts';
import { operatorBillingTexts as texts } from '../../../texts/operator-billing.ts';
import { Button, Card, Loaded } from '../../../ui/index.ts';
import { PriceFacts } from './price-facts.tsx';
import { PricesDialog } from './prices-dialog.tsx';

/** Prices agreed with one account, in place of the general ones. */
export function AgreedCard({ accountId }: { accountId: string }) {
  const params = { account_id: accountId };
  const agreed = useResource(() => call('getAccountBilling', { params }), [accountId]);
  const general = useResource(() => call('getBilling'), []);
  const edits = useSignal(false);
  return (
    <Card
      title={texts.agreed}
      actions={
        general.data && (
          <Button small onClick={() => (edits.value = true)}>
            {texts.edit}
          </Button>
        )
      }
    >
      <Loaded resource={agreed}>
        {(terms) => {
          const currency = terms.currency ?? general.data?.currency ?? '';
          const isEmpty =
            terms.tax_percent === null && Object.values(terms.prices).every((amount) => amount === null);
          return (
            <>
              {isEmpty || currency === '' ? (
                <p class="quiet">{texts.agreedNone}</p>
              ) : (
                <PriceFacts terms={terms} currency={currency} />
              )}
              {edits.value && (
                <PricesDialog
                  title={texts.agreed}
                  lead={texts.agreedText}
                  terms={terms}
                  general={general.data?.currency ?? ''}
                  onSave={async (body) =>
                    agreed.replace(await call('updateAccountBilling', { params, body }))
                  }
                  onClose={() => (edits.value = false)}
                />
              )}
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}
