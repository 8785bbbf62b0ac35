import { devicesOf } from '#accounts';
import type { ForeignVisit, OwnedNumber } from '#http';
import type { CompatContext } from '../context.ts';
import type { Names } from '../names/names.ts';
import { noSuchObject } from './graph-error.ts';
import { accountIdOf } from './ids.ts';
import type { Templates } from './templates/templates.ts';

/** Ids that a number had before it moved here, where its owner has said them. */
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

/** By the id that its owner gave it, else by the number itself, which is its id as long as nobody says otherwise. */
export async function numberOf(
  context: CloudContext,
  { caller, params: { id = '' } }: Pick<ForeignVisit, 'caller' | 'params'>,
): Promise<CloudNumber> {
  const { accountId, phone } = caller;
  const named = await context.names.lately.find({ ...caller, phone: null }, id);
  // A key for one number learns nothing of the others, not even that they are there.
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

/** All numbers of the account that the caller may see, linked or once linked, in the order of their phones. */
export async function numbersOf(
  context: CloudContext,
  { caller }: Pick<ForeignVisit, 'caller'>,
): Promise<CloudNumber[]> {
  const named = await context.names.list(caller);
  const bySlot = new Map(named.map((each) => [each.number.slotId, each]));
  const devices = await devicesOf(context.store.read, caller.accountId);
  return devices
    .filter(({ phone }) => caller.phone === null || caller.phone === phone)
    .map(({ slot_id: slotId, account_id: accountId, phone, plan }) =>
      cloudNumber({ slotId, accountId, phone, plan }, bySlot.get(slotId)),
    )
    .sort((one, other) => (one.number.phone < other.number.phone ? -1 : 1));
}

export function phoneOf({ number }: CloudNumber): string {
  return number.phone;
}

/** The account, by its own id or by the one that it had before it moved here. */
export async function checkAccount(
  context: CloudContext,
  call: Pick<ForeignVisit, 'caller' | 'params'>,
): Promise<string> {
  const { id = '' } = call.params;
  if (id === accountIdOf(call.caller.accountId)) return id;
  const named = await context.names.list(call.caller);
  if (named.some(({ remembered }) => remembered.wabaId === id)) return id;
  throw noSuchObject(id);
}
