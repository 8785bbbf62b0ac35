import type { AccountBilling, Money, Party, Plan, PlanPrices } from '@parley/contract';
import type { Queries } from '#accounts';
import { apiError } from '#kernel';
import type { AccountBillingRow, AccountRow, BillingSettingsRow } from '#platform/store';
import { findAccountBilling, findSettings } from './billing-queries.ts';

/** Amounts are whole numbers of the smallest unit of their currency; rates are thousandths of a percent. */

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export function requireCurrency(code: string | null | undefined): void {
  if (code && !CURRENCIES.has(code))
    throw apiError('invalid_field', { text: 'currency must be a currency of ISO 4217 such as EUR' });
}

const MILLIPERCENT = 1_000;
const WHOLE_MILLIPERCENT = 100 * MILLIPERCENT;

export function toMillipercent(percent: number): number {
  const rate = Math.round(percent * MILLIPERCENT);
  if (Math.abs(percent * MILLIPERCENT - rate) > 1e-6)
    throw apiError('invalid_field', { text: 'tax_percent must have at most 3 decimals' });
  return rate;
}

export function toPercent(millipercent: number): number {
  return millipercent / MILLIPERCENT;
}

function taxOn(net: number, millipercent: number): number {
  return shareOf(net, millipercent, WHOLE_MILLIPERCENT);
}

/** `amount · part / whole`, rounded half up, without the errors of floating point. */
export function shareOf(amount: number, part: number, whole: number): number {
  const doubled = 2n * BigInt(amount) * BigInt(part);
  return Number((doubled + BigInt(whole)) / (2n * BigInt(whole)));
}

/** `EUR 1,234.50` */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' });
  return format.format(amount / 10 ** digitsOf(currency)).replaceAll('\u00a0', ' ');
}

/** `1234.50`, for programs. */
export function decimal(amount: number, currency: string): string {
  const digits = digitsOf(currency);
  return (amount / 10 ** digits).toFixed(digits);
}

function digitsOf(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

const NO_PRICES: PlanPrices = { free: null, pro: null, max: null, partner: null };
export const NO_BUYER: Party = { name: '', address: '', tax_id: '', email: '' };

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
  return { ...NO_BUYER, ...given, name: given.name || name, email: given.email || email };
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
