import type { AccountBilling, Money, Party, Plan, PlanPrices } from '@parley/contract';
import type { Queries } from '#accounts';
import type { AccountBillingRow, AccountRow, BillingSettingsRow } from '#store';
import { taxOn, toPercent } from './money.ts';
import { findAccountBilling, findSettings } from './store.ts';

const NO_PRICES: PlanPrices = { free: null, pro: null, max: null, partner: null };
export const NOBODY: Party = { name: '', address: '', tax_id: '', email: '' };

/** The terms on which an account buys. */
export interface PriceTerms {
  readonly settings: BillingSettingsRow;
  readonly account: AccountBillingRow | undefined;
}

export async function priceTermsOf(db: Queries, accountId: string): Promise<PriceTerms> {
  return { settings: await findSettings(db), account: await findAccountBilling(db, accountId) };
}

/** What a number costs for a whole period, without tax; undefined: nothing. */
export function priceOf(
  { settings, account }: PriceTerms,
  plan: Plan,
): { currency: string; amount: number } | undefined {
  const currency = account?.currency ?? settings.currency;
  if (currency === null) return undefined;
  const own = account && readPrices(account.prices)[plan];
  const general = currency === settings.currency ? readPrices(settings.prices)[plan] : null;
  const amount = own ?? general;
  return amount === null ? undefined : { currency, amount };
}

/** Every sum of an invoice over that amount. */
export function withTax(terms: PriceTerms, price: { currency: string; amount: number } | undefined): Money {
  if (!price) return { currency: null, net: null, tax_percent: null, tax: null, total: null };
  const { currency, amount: net } = price;
  const rate = taxRateOf(terms);
  const tax = taxOn(net, rate);
  return { currency, net, tax_percent: toPercent(rate), tax, total: net + tax };
}

export function taxRateOf({ settings, account }: PriceTerms): number {
  return account?.tax_millipercent ?? settings.tax_millipercent;
}

/** As the account was named when it was made, until it says more of itself. */
export function buyerOf({ name, email }: Pick<AccountRow, 'name' | 'email'>, row?: AccountBillingRow): Party {
  const given: Partial<Party> = row ? JSON.parse(row.buyer) : {};
  return { ...NOBODY, ...given, name: given.name || name, email: given.email || email };
}

export function readPrices(json: string): PlanPrices {
  return { ...NO_PRICES, ...JSON.parse(json) };
}

export function publicAccountBilling(
  account: Pick<AccountRow, 'name' | 'email'>,
  row?: AccountBillingRow,
): AccountBilling {
  const rate = row?.tax_millipercent ?? null;
  return {
    currency: row?.currency ?? null,
    tax_percent: rate === null ? null : toPercent(rate),
    prices: row ? readPrices(row.prices) : NO_PRICES,
    buyer: buyerOf(account, row),
  };
}
