import { now } from '../kernel/clock.ts';
import { words } from '../texts/common.ts';

/** How values are written for people. One locale, so that a screen reads the same to everybody who talks about it. */
const LOCALE = 'en-GB';

const whole = new Intl.NumberFormat(LOCALE);
const short = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });
const percentage = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });
const day = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric' });
/** With the zone: who reads it to somebody elsewhere says which time it is. */
const dayAndTime = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'long' });
const shortDay = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' });
const hourOnly = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' });
const clockTime = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });

export const formatNumber = (value: number): string => whole.format(value);
/** 12,400 as 12.4K. */
export const formatShort = (value: number): string => short.format(value);
export const formatPercent = (share: number): string => percentage.format(share);

/** Times come as ISO text or as Unix seconds. */
export type Moment = string | number;
export const dateOf = (moment: Moment): Date =>
  new Date(typeof moment === 'number' ? moment * 1_000 : moment);

export const formatDay = (moment: Moment): string => day.format(dateOf(moment));
/** Without the year, below a chart. */
export const formatShortDay = (moment: Moment): string => shortDay.format(dateOf(moment));
export const formatHour = (moment: Moment): string => hourOnly.format(dateOf(moment));
export const formatTime = (moment: Moment): string => dayAndTime.format(dateOf(moment));
export const formatClock = (moment: Moment): string => clockTime.format(dateOf(moment));

/** To the second today, to the minute before: short enough for a list on a phone. */
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

/** Digits in groups, so that a person can read them to another: +1 555 000 1001. */
export function formatPhone(phone: string): string {
  if (!/^\d{5,15}$/.test(phone)) return phone;
  const country = phone.startsWith('1') || phone.startsWith('7') ? 1 : 2;
  const tail = phone.slice(-4);
  const middle = phone.slice(country, -4).replace(/(\d{3})(?=\d)/g, '$1 ');
  return `+${phone.slice(0, country)} ${middle} ${tail}`;
}

/** The gateway's short descriptions as a sentence. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  const ended = /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}

/** With phone numbers that no line breaks apart. */
export function unbroken(text: string): string {
  return text.replaceAll(/\+\d+(?: \d+)+/g, (phone) => phone.replaceAll(' ', '\u00a0'));
}

/** What a change was about, in a line: `name: Reports, phone: +1 555 000 1001`. What is nothing is left out. */
export function formatDetail(detail: Readonly<Record<string, unknown>>): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => {
      const told = name === 'phone' ? formatPhone(String(value)) : tellValue(value);
      return `${name.replaceAll('_', ' ')}: ${told}`;
    })
    .join(', ');
}

function tellValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(tellValue).join(' ');
  return typeof value === 'object' && value !== null ? `(${formatDetail({ ...value })})` : String(value);
}

/** Of the smallest unit of a currency: 1900 EUR as €19.00. */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(LOCALE, { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}
