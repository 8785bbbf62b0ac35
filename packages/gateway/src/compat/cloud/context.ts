import { devicesOf } from '#accounts';
import type { ForeignAnswer, ForeignCall, ForeignEndpoint, OwnedNumber } from '#http';
import { ForeignRefusal } from '#http';
import { Fault } from '#kernel';
import type { CompatContext } from '../context.ts';
import type { Names } from '../names/names.ts';
import { graphErrorOf } from './from-fault.ts';
import { errorBody, GRAPH_ERRORS, GraphError, noSuchObject } from './graph-error.ts';
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

/** Puts a handler behind a path, whose refusals leave in the words of the Graph API. */
export function endpoint(
  [method, path]: readonly [ForeignEndpoint['method'], string],
  id: string,
  handle: (call: ForeignCall) => Promise<object>,
  more: Pick<ForeignEndpoint, 'takesFile' | 'permission' | 'input' | 'bodyMaxBytes' | 'pageMax'> = {},
): ForeignEndpoint {
  return {
    id,
    method,
    path,
    ...more,
    async handle(call): Promise<ForeignAnswer> {
      try {
        return { body: await handle(call) };
      } catch (error) {
        throw refusalOf(error, call);
      }
    },
  };
}

function refusalOf(error: unknown, { requestId, setHeader }: ForeignCall): unknown {
  if (error instanceof Fault && error.retryAfterSeconds !== undefined)
    setHeader('Retry-After', error.retryAfterSeconds);
  const known = error instanceof Fault ? graphErrorOf(error) : error;
  if (!(known instanceof GraphError)) return error;
  const body = errorBody(known, requestId);
  return new ForeignRefusal(GRAPH_ERRORS[known.code].status, body, body.error.message);
}

/** By the id that its owner gave it, else by the number itself, which is its id as long as nobody says otherwise. */
export async function numberOf(context: CloudContext, call: ForeignCall): Promise<CloudNumber> {
  const { id = '' } = call.params;
  const { accountId, phone } = call.caller;
  const named = await context.names.lately.find(call.caller, id);
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

/** All numbers of the account that the caller may see, linked or once linked. */
export async function numbersOf(context: CloudContext, { caller }: ForeignCall): Promise<CloudNumber[]> {
  const devices = await devicesOf(context.store.read, caller.accountId);
  const numbers = devices
    .filter(({ phone }) => caller.phone === null || caller.phone === phone)
    .map(({ slot_id: slotId, account_id: accountId, phone, plan }) => ({ slotId, accountId, phone, plan }));
  return Promise.all(
    numbers.map(async (number) => cloudNumber(number, await context.names.ofNumber(number.slotId))),
  );
}

/** The account, by its own id or by the one that it had before it moved here. */
export async function checkAccount(context: CloudContext, call: ForeignCall): Promise<string> {
  const { id = '' } = call.params;
  if (id === accountIdOf(call.caller.accountId)) return id;
  const named = await context.names.list(call.caller);
  if (named.some(({ remembered }) => remembered.wabaId === id)) return id;
  throw noSuchObject(id);
}
