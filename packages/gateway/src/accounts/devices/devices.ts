import {
  type Device,
  type DeviceStatus,
  PLAN_LIMITS,
  type Plan,
  type RegisteredNumber,
} from '@parley/contract';
import { apiError, type Page, type PageChoice, pageOf } from '#kernel';
import type { AccountRow, DeviceRow, Writer } from '#platform/store';
import {
  accountsById,
  auditedTransaction,
  findAccount,
  isEnding,
  type Queries,
  revokeKeysOf,
} from '../account-queries.ts';
import { record } from '../audit/audit-queries.ts';
import type { Actor } from '../audit/change.ts';
import type { AccountsContext } from '../context.ts';
import {
  allDevices,
  type DevicePeriod,
  devicesOf,
  findDevice,
  insertDevice,
  isRegistered,
  markRemoved,
  updateDevice,
} from './device-queries.ts';
import { cutPeriod, ensurePeriod, findPeriods, quotaOf } from './periods.ts';

interface NewDevice {
  readonly phone: string;
  readonly plan: Plan;
  readonly status?: DeviceStatus | undefined;
}

export interface DeviceChanges {
  readonly plan?: Plan | undefined;
  readonly status?: DeviceStatus | undefined;
  readonly nickname?: string | null | undefined;
}

export async function registerDevice(
  { store, clock, ids }: AccountsContext,
  actor: Actor,
  accountId: string,
  given: NewDevice,
): Promise<Device> {
  return auditedTransaction(store, async (trx) => {
    const account = await findAccount(trx, accountId);
    if (await isEnding(trx, accountId)) throw apiError('account_ending');
    if (await isRegistered(trx, given.phone)) throw apiError('phone_taken');
    await refuseSecondFreeNumber(trx, accountId, given.plan);

    const now = clock.now();
    const status = given.status ?? 'active';
    const row: DeviceRow = {
      slot_id: ids.slot(),
      account_id: accountId,
      phone: given.phone,
      plan: given.plan,
      status,
      activated_at: status === 'inactive' ? null : now,
      created_at: now,
      nickname: null,
      canceled_at: null,
      removed_at: null,
    };
    await insertDevice(trx, row);
    await ensurePeriod(trx, row, account, now);
    await record(trx, now, {
      actor,
      accountId,
      action: 'device.registered',
      subject: row.slot_id,
      detail: { phone: row.phone, plan: row.plan, status },
    });
    return publicDevice(trx, { device: row, account }, now);
  });
}

export async function listDevices(
  { store, clock }: AccountsContext,
  accountId: string,
  page: PageChoice = {},
): Promise<Page<Device>> {
  const account = await findAccount(store.read, accountId);
  const { items, nextCursor } = pageOf(await devicesOf(store.read, accountId, page), page, slotOf);
  const numbers = items.map((device) => ({ device, account }));
  return { items: await publicDevices(store.read, numbers, clock.now()), nextCursor };
}

/** Of all accounts, for the operator. */
export async function listNumbersOfAll(
  { store, clock }: AccountsContext,
  page: PageChoice = {},
): Promise<Page<RegisteredNumber>> {
  const { items, nextCursor } = pageOf(await allDevices(store.read, page), page, slotOf);
  const accounts = await accountsById(store.read, [...new Set(items.map(({ account_id }) => account_id))]);
  const numbers = items.flatMap((device) => {
    const account = accounts.get(device.account_id);
    return account ? [{ device, account }] : [];
  });
  const devices = await publicDevices(store.read, numbers, clock.now());
  const registered = devices.map((device, index) => ({
    account_id: numbers[index]?.account.id ?? '',
    ...device,
  }));
  return { items: registered, nextCursor };
}

const slotOf = ({ slot_id }: DeviceRow): string => slot_id;

export async function getDevice({ store, clock }: AccountsContext, slotId: string): Promise<Device> {
  const device = await findDevice(store.read, slotId);
  const account = await findAccount(store.read, device.account_id);
  return publicDevice(store.read, { device, account }, clock.now());
}

/**
 * A new plan begins at once and so does its first period; the old one is closed, and what was used in it counts on. A number that becomes inactive has
 * no period until it is active again; a suspended one keeps its subscription.
 */
export async function changeDevice(
  { store, clock }: AccountsContext,
  actor: Actor,
  slotId: string,
  changes: DeviceChanges,
): Promise<Device> {
  return auditedTransaction(store, async (trx) => {
    const before = await findDevice(trx, slotId);
    const account = await findAccount(trx, before.account_id);
    const now = clock.now();
    const plan = changes.plan ?? before.plan;
    const status = changes.status ?? before.status;
    const nickname = changes.nickname === undefined ? before.nickname : changes.nickname?.trim() || null;
    const canceled_at = status === before.status ? before.canceled_at : canceledAt(actor, status, now);
    if (plan === before.plan && status === before.status && nickname === before.nickname)
      return publicDevice(trx, { device: before, account }, now);
    if (plan !== before.plan) await refuseSecondFreeNumber(trx, before.account_id, plan, slotId);

    const activated_at = activation(before, plan, status, now);
    const after: DeviceRow = { ...before, plan, status, activated_at, nickname, canceled_at };
    if (after.activated_at !== before.activated_at) await cutPeriod(trx, before, account, now);
    await updateDevice(trx, after);
    await ensurePeriod(trx, after, account, now);
    await record(trx, now, {
      actor,
      accountId: before.account_id,
      action: 'device.changed',
      subject: slotId,
      detail: {
        from: { plan: before.plan, status: before.status },
        to: { plan, status },
        ...(nickname !== before.nickname && { nickname }),
      },
    });
    return publicDevice(trx, { device: after, account }, now);
  });
}

/**
 * Takes the number out of the account: the running period ends, and keys that were for this number alone with it. What else belongs to it goes
 * later (see `offboarding`).
 */
export async function removeDevice(
  { store, clock }: AccountsContext,
  actor: Actor,
  slotId: string,
): Promise<DeviceRow> {
  return auditedTransaction(store, async (trx) => {
    const device = await findDevice(trx, slotId);
    const { account_id, phone, plan } = device;
    const account = await findAccount(trx, account_id);
    const now = clock.now();
    if (device.activated_at !== null) await cutPeriod(trx, device, account, now);
    await markRemoved(trx, { slot_id: slotId, account_id, phone, removed_at: now });
    const keys = await revokeKeysOf(trx, { accountId: account_id, phone, now });
    await record(trx, now, {
      actor,
      accountId: account_id,
      action: 'device.removed',
      subject: slotId,
      detail: { phone, plan, ...(keys > 0 && { keys_revoked: keys }) },
    });
    return device;
  });
}

/** An owner who ends a plan may begin another; what the operator has ended only the operator begins again. */
function canceledAt(actor: Actor, status: DeviceStatus, now: number): number | null {
  return status === 'inactive' && actor !== 'operator' ? now : null;
}

function activation(before: DeviceRow, plan: Plan, status: DeviceStatus, now: number): number | null {
  if (status === 'inactive') return null;
  const goesOn = before.activated_at !== null && plan === before.plan;
  return goesOn ? before.activated_at : now;
}

/** A Free account holds one number: no free number beside another, no other beside a free one. */
async function refuseSecondFreeNumber(
  trx: Writer,
  accountId: string,
  plan: Plan,
  except = '',
): Promise<void> {
  const others = (await devicesOf(trx, accountId)).filter((other) => other.slot_id !== except);
  const limits = [plan, ...others.map((other) => other.plan)].map(
    (each) => PLAN_LIMITS[each].numbersPerAccount,
  );
  if (limits.some((limit) => limit !== null && others.length + 1 > limit))
    throw apiError('free_plan_holds_one_number');
}

interface NumberOfAccount {
  readonly device: DeviceRow;
  readonly account: AccountRow;
}

async function publicDevices(
  db: Queries,
  numbers: readonly NumberOfAccount[],
  now: number,
): Promise<Device[]> {
  const periods = await findPeriods(db, numbers, now);
  return numbers.map((number) => toPublic(number, periods.get(number.device.slot_id)));
}

async function publicDevice(db: Queries, number: NumberOfAccount, now: number): Promise<Device> {
  const periods = await findPeriods(db, [number], now);
  return toPublic(number, periods.get(number.device.slot_id));
}

function toPublic({ device, account }: NumberOfAccount, period: DevicePeriod | undefined): Device {
  return {
    slot_id: device.slot_id,
    phone: device.phone,
    plan: device.plan,
    status: device.status,
    activated_at: isoTime(device.activated_at),
    period_start: isoTime(period?.started_at),
    period_end: isoTime(period?.ends_at),
    quota: period?.quota ?? quotaOf(device.plan, account),
    used: period?.used ?? 0,
    nickname: device.nickname,
    canceled_at: isoTime(device.canceled_at),
  };
}

function isoTime(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : new Date(ms).toISOString();
}
