import { type HealthState, operations, userJid } from '@parley/contract';
import { actorBehind } from '#accounts';
import type { ForeignEndpoint, ForeignVisit } from '#http';
import { Fault } from '#kernel';
import { DeregisterBody, NumberBody, RegisterBody } from '../bodies.ts';
import { type CloudContext, type CloudNumber, numberOf, numbersOf, phoneOf } from '../context.ts';
import { endpoint, FieldsQuery, onAccount, onNumber } from '../endpoint.ts';
import { GraphError, invalid } from '../graph-error.ts';
import { PAGE_MAX, PageQuery, pageOf } from '../pages.ts';
import { callbackOf, setCallback } from '../webhooks/callbacks.ts';
import { describeMedia } from './media.ts';

const RATINGS: Readonly<Record<HealthState, string>> = {
  healthy: 'GREEN',
  watch: 'YELLOW',
  restricted: 'RED',
  banned: 'RED',
  unlinked: 'UNKNOWN',
};

export function numberEndpoints(context: CloudContext): ForeignEndpoint[] {
  return [
    onAccount(
      context,
      ['GET', '/:id/phone_numbers'],
      'listNumbers',
      async (call) => {
        const { items, paging } = pageOf(await numbersOf(context, call), phoneOf, call.query);
        return { data: await Promise.all(items.map((number) => describe(context, number, call))), paging };
      },
      { permission: 'sessions', input: { query: PageQuery }, pageMax: PAGE_MAX },
    ),
    // A file or a number: ids of files have a mark of their own.
    endpoint(
      ['GET', '/:id'],
      'getNode',
      async (call) =>
        call.params.id?.startsWith('med_')
          ? describeMedia(context, call)
          : describe(context, await numberOf(context, call), call),
      { permission: 'none', input: { query: FieldsQuery } },
    ),
    onNumber(
      context,
      ['POST', '/:id'],
      'changeNumber',
      async ({ body, caller, subject: number }) => {
        const generated = body.webhook_configuration
          ? await setCallback(context, [number], body.webhook_configuration, actorBehind(caller))
          : {};
        await giveIds(context, number, {
          id: body.phone_number_id,
          wabaId: body.whatsapp_business_account_id,
        });
        return { success: true, ...generated };
      },
      { permission: 'webhooks', input: { body: NumberBody } },
    ),
    onNumber(
      context,
      ['POST', '/:id/register'],
      'register',
      async ({ invoke, subject: { number } }) => {
        const { status } = await invoke(operations.getSession, { params: { id: userJid(number.phone) } });
        if (status === 'connected' || status === 'reconnecting') return { success: true };
        throw new GraphError(133010, 'The number is not linked: link it with its phone first.');
      },
      { permission: 'sessions', input: { body: RegisterBody } },
    ),
    onNumber(
      context,
      ['POST', '/:id/deregister'],
      'deregister',
      async ({ invoke, subject: { number } }) => {
        await invoke(operations.deleteSession, { params: { id: userJid(number.phone) } });
        return { success: true };
      },
      { permission: 'sessions', input: { body: DeregisterBody } },
    ),
  ];
}

/** Ids that clients are set up with already stay what they were. */
async function giveIds(
  { names, ownedNumber }: CloudContext,
  { id, number }: CloudNumber,
  wanted: { readonly id: string | undefined; readonly wabaId: string | undefined },
): Promise<void> {
  if (wanted.id === undefined && wanted.wabaId === undefined) return;
  for (const each of [wanted.id, wanted.wabaId])
    if (each !== undefined && !/^\d{5,32}$/.test(each)) throw invalid('Ids must have 5 to 32 digits.');
  const taken = () => invalid('Param phone_number_id is the id of another number.');
  // Its phone is the id of a number that was given none: under it nobody else may answer.
  const holder = wanted.id === undefined ? undefined : await ownedNumber(number.accountId, wanted.id);
  if (holder && holder.slotId !== number.slotId) throw taken();
  const known = await names.ofNumber(number.slotId);
  const remembered = { wabaId: wanted.wabaId ?? known?.remembered.wabaId };
  if (!(await names.give(number, wanted.id ?? id, remembered, known))) throw taken();
}

async function describe(
  context: CloudContext,
  cloud: CloudNumber,
  { invoke, query }: Pick<ForeignVisit<{ query: typeof FieldsQuery }>, 'invoke' | 'query'>,
): Promise<object> {
  const { number } = cloud;
  const params = { id: userJid(number.phone) };
  const health = await orElse(invoke(operations.getSessionHealth, { params }), undefined);
  const session = await orElse(invoke(operations.getSession, { params }), undefined);
  const callback = await callbackOf(context, number);
  const isOnline = session?.status === 'connected' || session?.status === 'reconnecting';
  const whole = {
    display_phone_number: `+${number.phone}`,
    verified_name: `+${number.phone}`,
    quality_rating: RATINGS[health?.state ?? 'unlinked'],
    platform_type: 'CLOUD_API',
    code_verification_status: 'VERIFIED',
    status: isOnline ? 'CONNECTED' : 'DISCONNECTED',
    account_mode: 'LIVE',
    ...(callback && { webhook_configuration: { phone_number: callback, application: callback } }),
  };
  if (query.fields === undefined) return { id: cloud.id, ...whole };
  const wanted = new Set(query.fields.split(',').map((field) => field.trim()));
  return {
    id: cloud.id,
    ...Object.fromEntries(Object.entries(whole).filter(([field]) => wanted.has(field))),
  };
}

/** A number that was never linked has neither health nor session, and is listed all the same. */
async function orElse<T, E>(asked: Promise<T>, otherwise: E): Promise<T | E> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Fault && (error.status === 404 || error.status === 409)) return otherwise;
    throw error;
  }
}
