import { PLANS } from '@parley/contract';
import { planNames } from '../../../texts/labels.ts';
import { operatorBillingTexts as texts } from '../../../texts/operator-billing.ts';
import { Fact, Facts, formatMoney } from '../../../ui/index.ts';
import type { PriceChange } from './prices-dialog.tsx';

export function PriceFacts({ terms, currency }: { terms: PriceChange; currency: string }) {
  return (
    <Facts>
      <Fact name={texts.currency}>{currency}</Fact>
      <Fact name={texts.tax}>{terms.tax_percent === null ? texts.notSet : `${terms.tax_percent} %`}</Fact>
      {PLANS.map((plan) => {
        const amount = terms.prices[plan];
        return (
          <Fact key={plan} name={planNames[plan]}>
            {amount === null ? <span class="quiet">{texts.none}</span> : formatMoney(amount, currency)}
          </Fact>
        );
      })}
    </Facts>
  );
}
