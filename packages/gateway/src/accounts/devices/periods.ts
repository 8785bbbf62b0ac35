import { type DeviceStatus, PLAN_LIMITS, type Plan } from '@parley/contract';
import type { AccountRow, DeviceRow, Writer } from '#platform/store';
import type { Queries } from '../account-queries.ts';
import {
  type DevicePeriod,
  devicesOf,
  type EmptyPeriod,
  endRunningPeriod,
  findStoredPeriods,
  insertMissingPeriods,
  upsertPeriod,
  usedBetween,
} from './device-queries.ts';

interface PartnerQuota {
  readonly partner_per_period: number | null;
}

/** What a number may send in a period. A partner account without negotiated limits gets those of the largest public plan. */
export function quotaOf(plan: Plan, account: PartnerQuota): number {
  return (
    PLAN_LIMITS[plan].sendsPerPeriod ?? account.partner_per_period ?? PLAN_LIMITS.max.sendsPerPeriod ?? 0
  );
}

/** More values than this in one statement make it slow to prepare. */
const PERIODS_AT_ONCE = 200;

/**
 * The periods that numbers are in, by slot; none for a number that is in none. Not stored yet when nothing was sent in it: then nothing is
 * used.
 */
export async function findPeriods(
  db: Queries,
  numbers: readonly { readonly device: DeviceRow; readonly account: PartnerQuota }[],
  now: number,
): Promise<Map<string, DevicePeriod>> {
  const periods = new Map<string, DevicePeriod>(
    numbers.flatMap(({ device, account }) => {
      if (device.activated_at === null) return [];
      const { start, end } = periodAt(device.activated_at, now);
      return [
        [
          device.slot_id,
          { ...emptyPeriod(device, account, start, end), used: 0, carried: 0, invoiced: 0 },
        ] as const,
      ];
    }),
  );
  const wanted = [...periods.values()];
  for (let first = 0; first < wanted.length; first += PERIODS_AT_ONCE) {
    const stored = await findStoredPeriods(db, wanted.slice(first, first + PERIODS_AT_ONCE));
    for (const period of stored) periods.set(period.slot_id, period);
  }
  return periods;
}

/**
 * Stores the period that contains `now`; one that is stored already keeps its counter and takes on the plan of today. The first of an
 * activation begins with what was used in the periods of the last month: else going to another plan and back would fill up the quota.
 */
export async function ensurePeriod(
  trx: Writer,
  device: DeviceRow,
  account: PartnerQuota,
  now: number,
): Promise<void> {
  if (device.activated_at === null) return;
  const { start, end } = periodAt(device.activated_at, now);
  const isFirst = start === device.activated_at;
  const carried = isFirst ? await carriedInto(trx, device.slot_id, start) : 0;
  await upsertPeriod(trx, emptyPeriod(device, account, start, end), carried);
}

/** What counts on in a period that begins with an activation at that moment. */
export function carriedInto(db: Queries, slotId: string, start: number): Promise<number> {
  return usedBetween(db, slotId, { after: addMonths(start, -1), before: start });
}

/**
 * Stores the periods that ended by `until` without anything having been sent in them: they have no row yet and are owed all the same.
 * To be called before plan, activation or quota change, because they are owed on the terms that were in force.
 */
export async function storeSilentPeriods(
  trx: Writer,
  device: DeviceRow,
  account: PartnerQuota,
  until: number,
): Promise<void> {
  if (device.activated_at === null) return;
  const anchor = device.activated_at;
  const silent = [];
  for (let { start, end } = periodAt(anchor, anchor); end <= until; { start, end } = periodAt(anchor, end)) {
    silent.push(emptyPeriod(device, account, start, end));
  }
  if (silent.length > 0) await insertMissingPeriods(trx, silent);
}

/** Ends the running period now: the plan has changed or the number was taken out of service. */
export async function cutPeriod(
  trx: Writer,
  device: DeviceRow,
  account: PartnerQuota,
  now: number,
): Promise<void> {
  await storeSilentPeriods(trx, device, account, now);
  await ensurePeriod(trx, device, account, now);
  await endRunningPeriod(trx, device.slot_id, now);
}

/** Newly negotiated limits hold at once, in the running period of each number of the account. */
export async function changePartnerQuota(
  trx: Writer,
  account: AccountRow,
  quota: number,
  now: number,
): Promise<void> {
  for (const number of await devicesOf(trx, account.id)) {
    if (number.plan !== 'partner') continue;
    await storeSilentPeriods(trx, number, account, now);
    await ensurePeriod(trx, number, { partner_per_period: quota }, now);
  }
}

function emptyPeriod(device: DeviceRow, account: PartnerQuota, start: number, end: number): EmptyPeriod {
  return {
    slot_id: device.slot_id,
    started_at: start,
    ends_at: end,
    plan: device.plan,
    quota: quotaOf(device.plan, account),
  };
}

/** A stretch of time, from its start up to, not including, its end. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

/**
 * The monthly period that contains `at`, rolling from `anchor`. The day of the month is that of the anchor, clamped to the month's
 * length: 31 Jan → 28 Feb → 31 Mar. All in UTC.
 */
export function periodAt(anchor: number, at: number): Period {
  const from = new Date(anchor);
  const to = new Date(at);
  let months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  while (addMonths(anchor, months) > at) months--;
  return { start: addMonths(anchor, months), end: addMonths(anchor, months + 1) };
}

function addMonths(anchor: number, months: number): number {
  const date = new Date(anchor);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}

/** On what terms a number may send. */
export interface SendingTerms {
  readonly plan: Plan;
  readonly status: DeviceStatus;
  readonly sendsPerMinute: number;
  readonly sendsPerPeriod: number;
  /** Null while the number is in no subscription period. */
  readonly activatedAt: number | null;
}

interface PartnerLimits extends PartnerQuota {
  readonly partner_per_minute: number | null;
}

export function sendingTermsOf(
  device: { plan: Plan; status: DeviceStatus; activated_at: number | null },
  account: PartnerLimits,
): SendingTerms {
  const { plan, status, activated_at: activatedAt } = device;
  const sendsPerMinute = sendsPerMinuteOf(plan, account.partner_per_minute);
  return { plan, status, sendsPerMinute, sendsPerPeriod: quotaOf(plan, account), activatedAt };
}

/** A partner account without negotiated limits gets those of the largest public plan. */
export function sendsPerMinuteOf(plan: Plan, negotiated: number | null): number {
  return PLAN_LIMITS[plan].sendsPerMinute ?? negotiated ?? PLAN_LIMITS.max.sendsPerMinute ?? 0;
}

/** A number stays in its period for weeks: the calendar is asked again only when it is over. */
const lastFound = new WeakMap<SendingTerms, Period>();

/** The subscription period that a number is in; undefined when it is in none. */
export function currentPeriod(terms: SendingTerms, now: number): Period | undefined {
  if (terms.activatedAt === null) return undefined;
  const known = lastFound.get(terms);
  if (known && known.start <= now && now < known.end) return known;
  const period = periodAt(terms.activatedAt, now);
  lastFound.set(terms, period);
  return period;
}
