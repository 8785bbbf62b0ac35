import { PLAN_LIMITS, type Plan } from '@parley/contract';
import type { AccountRow, DevicePeriodRow, DeviceRow, Writer } from '#store';
import { monthBefore, periodAt } from './months.ts';

/** A period as it is stored, with its counter. */
export type DevicePeriod = Omit<DevicePeriodRow, 'used' | 'carried' | 'invoiced'> & { used: number };

export interface PartnerQuota {
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
  db: Pick<Writer, 'selectFrom'>,
  numbers: readonly { readonly device: DeviceRow; readonly account: PartnerQuota }[],
  now: number,
): Promise<Map<string, DevicePeriod>> {
  const periods = new Map<string, DevicePeriod>(
    numbers.flatMap(({ device, account }) => {
      if (device.activated_at === null) return [];
      const { start, end } = periodAt(device.activated_at, now);
      return [[device.slot_id, { ...emptyPeriod(device, account, start, end), used: 0 }] as const];
    }),
  );
  const wanted = [...periods.values()];
  for (let first = 0; first < wanted.length; first += PERIODS_AT_ONCE) {
    const some = wanted.slice(first, first + PERIODS_AT_ONCE);
    const stored = await db
      .selectFrom('device_periods')
      .select(['slot_id', 'started_at', 'ends_at', 'plan', 'quota', 'used'])
      .where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('slot_id', 'started_at'),
          'in',
          some.map(({ slot_id, started_at }) => tuple(slot_id, started_at)),
        ),
      )
      .execute();
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
  const { slot_id, started_at, ...terms } = emptyPeriod(device, account, start, end);
  const carried = start === device.activated_at ? await usedInLastMonth(trx, slot_id, start) : 0;
  await trx
    .insertInto('device_periods')
    .values({ slot_id, started_at, ...terms, used: carried, carried })
    .onConflict((conflict) => conflict.columns(['slot_id', 'started_at']).doUpdateSet(terms))
    .execute();
}

/** In the periods that began within the month before `start`; each counts what was sent in itself. */
async function usedInLastMonth(trx: Writer, slotId: string, start: number): Promise<number> {
  const periods = await trx
    .selectFrom('device_periods')
    .select(['used', 'carried'])
    .where('slot_id', '=', slotId)
    .where('started_at', '>', monthBefore(start))
    .where('started_at', '<', start)
    .execute();
  return periods.reduce((sum, { used, carried }) => sum + used - carried, 0);
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
  if (silent.length === 0) return;
  await trx
    .insertInto('device_periods')
    .values(silent)
    .onConflict((conflict) => conflict.columns(['slot_id', 'started_at']).doNothing())
    .execute();
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
  await trx
    .updateTable('device_periods')
    .set({ ends_at: now })
    .where('slot_id', '=', device.slot_id)
    .where('ends_at', '>', now)
    .execute();
}

/** Newly negotiated limits hold at once, in the running period of each number of the account. */
export async function changePartnerQuota(
  trx: Writer,
  account: AccountRow,
  quota: number,
  now: number,
): Promise<void> {
  const numbers = await trx
    .selectFrom('devices')
    .selectAll()
    .where('account_id', '=', account.id)
    .where('plan', '=', 'partner')
    .execute();
  for (const number of numbers) {
    await storeSilentPeriods(trx, number, account, now);
    await ensurePeriod(trx, number, { partner_per_period: quota }, now);
  }
}

function emptyPeriod(device: DeviceRow, account: PartnerQuota, start: number, end: number) {
  return {
    slot_id: device.slot_id,
    started_at: start,
    ends_at: end,
    plan: device.plan,
    quota: quotaOf(device.plan, account),
  };
}
