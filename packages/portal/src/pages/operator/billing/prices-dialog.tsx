import { PLANS, type PlanPrices } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { words } from '../../../texts/common.ts';
import { planNames } from '../../../texts/labels.ts';
import { operatorBillingTexts as texts } from '../../../texts/operator-billing.ts';
import { FormDialog, TextField, toast } from '../../../ui/index.ts';
import { amountsOf, typed } from './amounts.ts';

export interface PriceChange {
  readonly currency: string | null;
  readonly tax_percent: number | null;
  readonly prices: PlanPrices;
}

/** Currency, tax and prices: general ones, or those agreed with one account. */
export function PricesDialog({
  title,
  lead,
  terms,
  general = '',
  onSave,
  onClose,
}: {
  title: string;
  lead: string;
  terms: PriceChange;
  /** Currency that applies where none is chosen here. */
  general?: string;
  onSave: (change: PriceChange) => Promise<void>;
  onClose: () => void;
}) {
  const currency = useSignal(terms.currency ?? '');
  const tax = useSignal(terms.tax_percent === null ? '' : String(terms.tax_percent));
  const prices = useSignal(typed(terms.prices, terms.currency ?? general));
  const effective = currency.value.trim().toUpperCase() || general;
  return (
    <FormDialog
      title={title}
      submit={words.save}
      lead={<p class="quiet">{lead}</p>}
      onSubmit={async () => {
        await onSave({
          currency: currency.value.trim().toUpperCase() || null,
          tax_percent: tax.value.trim() === '' ? null : Number(tax.value),
          prices: amountsOf(prices.value, effective),
        });
        toast(texts.saved);
      }}
      onClose={onClose}
    >
      <TextField
        label={texts.currency}
        name="currency"
        hint={texts.currencyHint}
        placeholder={general}
        autofocus
        maxLength={3}
        value={currency.value}
        onInput={(value) => (currency.value = value)}
      />
      <TextField
        label={texts.tax}
        name="tax_percent"
        type="number"
        min="0"
        max="100"
        step="any"
        value={tax.value}
        onInput={(value) => (tax.value = value)}
      />
      {PLANS.map((plan) => (
        <TextField
          key={plan}
          label={texts.price(planNames[plan])}
          name={`prices.${plan}`}
          hint={texts.priceHint(effective || texts.currency)}
          value={prices.value[plan]}
          onInput={(value) => (prices.value = { ...prices.value, [plan]: value })}
        />
      ))}
    </FormDialog>
  );
}
