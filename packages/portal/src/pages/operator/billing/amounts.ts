import { PLANS, type Plan, type PlanPrices } from '@parley/contract';
import { Problem } from '../../../api/index.ts';
import { planNames } from '../../../texts/labels.ts';
import { operatorBillingTexts as texts } from '../../../texts/operator-billing.ts';

/** Typed prices: decimal numbers, empty for none. */
export type TypedPrices = Readonly<Record<Plan, string>>;

function digitsOf(currency: string): number {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    return format.resolvedOptions().maximumFractionDigits ?? 2;
  } catch (thrown) {
    // Not a currency; the gateway refuses it.
    if (!(thrown instanceof RangeError)) throw thrown;
    return 2;
  }
}

export function typed(prices: PlanPrices, currency: string): TypedPrices {
  const digits = digitsOf(currency);
  const show = (amount: number | null) => (amount === null ? '' : (amount / 10 ** digits).toFixed(digits));
  return {
    free: show(prices.free),
    pro: show(prices.pro),
    max: show(prices.max),
    partner: show(prices.partner),
  };
}

/** Converts typed prices to the smallest unit of the currency. */
export function amountsOf(prices: TypedPrices, currency: string): PlanPrices {
  const digits = digitsOf(currency);
  const entries = PLANS.map((plan) => {
    const text = prices[plan].trim().replace(',', '.');
    if (text === '') return [plan, null] as const;
    const amount = Number(text) * 10 ** digits;
    const rounded = Math.round(amount);
    if (!(rounded >= 0) || Math.abs(amount - rounded) > 1e-6)
      throw new Problem(400, texts.priceWrong(planNames[plan]));
    return [plan, rounded] as const;
  });
  return Object.fromEntries(entries) as PlanPrices;
}
