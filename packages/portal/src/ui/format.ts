import { now } from '../kernel/clock.ts';
import { words } from '../texts/common.ts';

/** Formats of values. One locale, so that all members see the same text on a screen. */
const LOCALE = 'en-GB';

const whole = new Intl.NumberFormat(LOCALE);
const short = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });
const percentage = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });
const day = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric' });
/** With the zone, so that people in other zones can compare. */
const dayAndTime = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'long' });
const shortDay = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' });
const hourOnly = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' });
const clockTime = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });

export const formatNumber = (value: number): string => whole.format(value);
/** Formats 12,400 as 12.4K. */
export const formatShort = (value: number): string => short.format(value);
export const formatPercent = (share: number): string => percentage.format(share);

/** ISO text or Unix seconds. */
export type Moment = string | number;
export const dateOf = (moment: Moment): Date =>
  new Date(typeof moment === 'number' ? moment * 1_000 : moment);

export const formatDay = (moment: Moment): string => day.format(dateOf(moment));
/** Without the year, for the labels of charts. */
export const formatShortDay = (moment: Moment): string => shortDay.format(dateOf(moment));
export const formatHour = (moment: Moment): string => hourOnly.format(dateOf(moment));
export const formatTime = (moment: Moment): string => dayAndTime.format(dateOf(moment));
export const formatClock = (moment: Moment): string => clockTime.format(dateOf(moment));

/** With seconds only today, to be short enough for a list on a phone. */
export function formatMoment(moment: Moment, at = now()): string {
  const isToday = formatDay(moment) === formatDay(at / 1_000);
  return isToday ? formatClock(moment) : `${formatShortDay(moment)}, ${formatHour(moment)}`;
}

const STEPS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** “5 minutes ago”, “in 3 days”. */
export function formatAgo(moment: Moment, at = now()): string {
  const seconds = Math.round((dateOf(moment).getTime() - at) / 1_000);
  for (const [unit, length] of STEPS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return words.now;
}

export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function formatMs(ms: number): string {
  if (ms >= 60_000) return formatSeconds(Math.round(ms / 1_000));
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}

/** Groups the digits for reading aloud: +1 555 000 1001. */
export function formatPhone(phone: string): string {
  if (!/^\d{5,15}$/.test(phone)) return phone;
  const country = phone.startsWith('1') || phone.startsWith('7') ? 1 : 2;
  const tail = phone.slice(-4);
  const middle = phone.slice(country, -4).replace(/(\d{3})(?=\d)/g, '$1 ');
  return `+${phone.slice(0, country)} ${middle} ${tail}`;
}

/** Makes a sentence of the gateway's short descriptions. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  const ended = /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}

/** Makes the spaces in phone numbers non-breaking. */
export function withoutBreaks(text: string): string {
  return text.replaceAll(/\+\d+(?: \d+)+/g, (phone) => phone.replaceAll(' ', '\u00a0'));
}

/** Detail of a change in one line: `name: Reports, phone: +1 555 000 1001`. Leaves null values out. */
export function formatDetail(detail: Readonly<Record<string, unknown>>): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => {
      const text = name === 'phone' ? formatPhone(String(value)) : formatValue(value);
      return `${name.replaceAll('_', ' ')}: ${text}`;
    })
    .join(', ');
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatValue).join(' ');
  return typeof value === 'object' && value !== null ? `(${formatDetail({ ...value })})` : String(value);
}

/** Formats an amount in the smallest unit of a currency: 1900 EUR as €19.00. */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(LOCALE, { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}
