import { PLAN_LIMITS, type Plan } from '@parley/contract';
import type { DevicePeriodRow, DeviceRow, Writer } from '#store';
import { periodAt } from './months.ts';

/** A period as it is stored, with its counter. */
export type DevicePeriod = Omit<DevicePeriodRow, 'used' | 'invoiced'> & { used: number };

export interface PartnerQuota {
  readonly partner_per_period: number | null;
}

/** What a number may send in a period. A partner account without negotiated limits gets those of the largest public plan. */
export function quotaOf(plan: Plan, account: PartnerQuota): number {
  return (
    PLAN_LIMITS[plan].sendsPerPeriod ?? account.partner_per_period ?? PLAN_LIMITS.max.sendsPerPeriod ?? 0
  );
}

/** The period that a number is in, or null when it is in none. Not stored yet when nothing was sent in it: then nothing is used. */
export async function findPeriod(
  db: Pick<Writer, 'selectFrom'>,
  device: DeviceRow,
  account: PartnerQuota,
  now: number,
): Promise<DevicePeriod | null> {
  if (device.activated_at === null) return null;
  const { start, end } = periodAt(device.activated_at, now);
  const stored = await db
    .selectFrom('device_periods')
    .select(['slot_id', 'started_at', 'ends_at', 'plan', 'quota', 'used'])
    .where('slot_id', '=', device.slot_id)
    .where('started_at', '=', start)
    .executeTakeFirst();
  return stored ?? { ...emptyPeriod(device, account, start, end), used: 0 };
}

/** Stores the period that contains `now`; one that is stored already keeps its counter and takes on the plan of today. */
export async function ensurePeriod(
  trx: Writer,
  device: DeviceRow,
  account: PartnerQuota,
  now: number,
): Promise<void> {
  if (device.activated_at === null) return;
  const { start, end } = periodAt(device.activated_at, now);
  const { slot_id, started_at, ...terms } = emptyPeriod(device, account, start, end);
  await trx
    .insertInto('device_periods')
    .values({ slot_id, started_at, ...terms })
    .onConflict((conflict) => conflict.columns(['slot_id', 'started_at']).doUpdateSet(terms))
    .execute();
}

/** Where the stored periods of a number end so far; its activation when there is none. */
export async function lastPeriodEnd(trx: Writer, device: DeviceRow): Promise<number> {
  const last = await trx
    .selectFrom('device_periods')
    .select((e) => e.fn.max('ends_at').as('end'))
    .where('slot_id', '=', device.slot_id)
    .where('started_at', '>=', device.activated_at ?? 0)
    .executeTakeFirst();
  return last?.end ?? device.activated_at ?? 0;
}

/** Ends the running period now: the plan has changed or the number was taken out of service. */
export async function cutPeriod(
  trx: Writer,
  device: DeviceRow,
  account: PartnerQuota,
  now: number,
): Promise<void> {
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
  accountId: string,
  quota: number,
  now: number,
): Promise<void> {
  await trx
    .updateTable('device_periods')
    .set({ quota })
    .where('plan', '=', 'partner')
    .where('ends_at', '>', now)
    .where('slot_id', 'in', (query) =>
      query.selectFrom('devices').select('slot_id').where('account_id', '=', accountId),
    )
    .execute();
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
