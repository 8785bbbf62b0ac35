import { fault } from '#kernel';

/** Amounts are whole numbers of the smallest unit of their currency; rates are thousandths of a percent. */

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export function requireCurrency(code: string | null | undefined): void {
  if (code && !CURRENCIES.has(code))
    throw fault('invalid_field', { text: 'currency must be a currency of ISO 4217 such as EUR' });
}

const MILLIPERCENT = 1_000;
const WHOLE_MILLIPERCENT = 100 * MILLIPERCENT;

export function toMillipercent(percent: number): number {
  const rate = Math.round(percent * MILLIPERCENT);
  if (Math.abs(percent * MILLIPERCENT - rate) > 1e-6)
    throw fault('invalid_field', { text: 'tax_percent must have at most 3 decimals' });
  return rate;
}

export function toPercent(millipercent: number): number {
  return millipercent / MILLIPERCENT;
}

export function taxOn(net: number, millipercent: number): number {
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
