import { devicesOf } from '#accounts';
import { sortBy } from '#kernel';
import type { CompatVisit, OwnedNumber } from '#platform/http';
import type { CompatContext } from '../context.ts';
import type { Names } from '../names/names.ts';
import { noSuchObject } from './graph-error.ts';
import { accountIdOf } from './ids.ts';
import type { Templates } from './templates/templates.ts';

/** Ids from before the number's move here, as its owner declared them. */
export interface Remembered {
  readonly wabaId?: string | undefined;
}

export interface CloudContext extends CompatContext {
  readonly names: Names<Remembered>;
  readonly templates: Templates;
}

/** A number as this surface names it. */
export interface CloudNumber {
  readonly id: string;
  readonly wabaId: string;
  readonly number: OwnedNumber;
}

/** Finds a number by the id that its owner declared, else by its phone. */
export async function numberOf(
  context: CloudContext,
  { caller, params: { id = '' } }: Pick<CompatVisit, 'caller' | 'params'>,
): Promise<CloudNumber> {
  const { accountId, phone } = caller;
  const named = await context.names.lately.find({ ...caller, phone: null }, id);
  // A key for one number does not learn that the others exist.
  if (named && phone !== null && phone !== named.number.phone) throw noSuchObject(id);
  if (named) return cloudNumber(named.number, named);
  const number = await context.ownedNumber(accountId, id);
  if (!number || (phone !== null && phone !== number.phone)) throw noSuchObject(id);
  return cloudNumber(number, await context.names.lately.ofNumber(number.slotId));
}

export function cloudNumber(
  number: OwnedNumber,
  named: { readonly name: string; readonly remembered: Remembered } | undefined,
): CloudNumber {
  return {
    id: named?.name ?? number.phone,
    wabaId: named?.remembered.wabaId ?? accountIdOf(number.accountId),
    number,
  };
}

/** All numbers of the account that the caller may see, linked or not, ordered by phone. */
export async function numbersOf(
  context: CloudContext,
  { caller }: Pick<CompatVisit, 'caller'>,
): Promise<CloudNumber[]> {
  const named = await context.names.list(caller);
  const bySlot = new Map(named.map((each) => [each.number.slotId, each]));
  const devices = await devicesOf(context.store.read, caller.accountId);
  const visible = devices.filter(({ phone }) => caller.phone === null || caller.phone === phone);
  return sortBy(visible, ({ phone }) => phone).map(
    ({ slot_id: slotId, account_id: accountId, phone, plan }) =>
      cloudNumber({ slotId, accountId, phone, plan }, bySlot.get(slotId)),
  );
}

export function phoneOf({ number }: CloudNumber): string {
  return number.phone;
}

/** Checks the id of the account: its own, or the one that it had before it moved here. */
export async function checkAccount(
  context: CloudContext,
  call: Pick<CompatVisit, 'caller' | 'params'>,
): Promise<string> {
  const { id = '' } = call.params;
  if (id === accountIdOf(call.caller.accountId)) return id;
  const named = await context.names.list(call.caller);
  if (named.some(({ remembered }) => remembered.wabaId === id)) return id;
  throw noSuchObject(id);
}
