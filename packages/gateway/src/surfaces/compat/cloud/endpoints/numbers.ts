import { bodyLimit, type HealthState, operations, userJid } from '@parley/contract';
import { actorBehind } from '#accounts';
import { ApiError } from '#kernel';
import type { CompatEndpoint, CompatVisit } from '#platform/http';
import { DeregisterBody, NumberBody, ProfileBody, RegisterBody } from '../bodies.ts';
import { type CloudContext, type CloudNumber, numberOf, numbersOf, phoneOf } from '../context.ts';
import { endpoint, FieldsQuery, onAccount, onNumber, PAGE_MAX, PageQuery, pageOf } from '../endpoint.ts';
import { GraphError, invalid } from '../graph-error.ts';
import { callbackOf, setCallback } from '../webhooks/callbacks.ts';

const RATINGS: Readonly<Record<HealthState, string>> = {
  healthy: 'GREEN',
  watch: 'YELLOW',
  restricted: 'RED',
  banned: 'RED',
  unlinked: 'UNKNOWN',
};

export function numberEndpoints(context: CloudContext): CompatEndpoint[] {
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
    // The id of a file or of a number: file ids have a prefix of their own.
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

/** Keeps the ids that clients are already configured with. */
async function giveIds(
  { names, ownedNumber }: CloudContext,
  { id, number }: CloudNumber,
  wanted: { readonly id: string | undefined; readonly wabaId: string | undefined },
): Promise<void> {
  if (wanted.id === undefined && wanted.wabaId === undefined) return;
  for (const each of [wanted.id, wanted.wabaId])
    if (each !== undefined && !/^\d{5,32}$/.test(each)) throw invalid('Ids must have 5 to 32 digits.');
  const taken = () => invalid('Param phone_number_id is the id of another number.');
  // A number without an id has its phone as the id, so no other number may have that id.
  const holder = wanted.id === undefined ? undefined : await ownedNumber(number.accountId, wanted.id);
  if (holder && holder.slotId !== number.slotId) throw taken();
  const known = await names.ofNumber(number.slotId);
  const remembered = { wabaId: wanted.wabaId ?? known?.remembered.wabaId };
  if (!(await names.give(number, wanted.id ?? id, remembered, known))) throw taken();
}

async function describe(
  context: CloudContext,
  cloud: CloudNumber,
  { invoke, query }: Pick<CompatVisit<{ query: typeof FieldsQuery }>, 'invoke' | 'query'>,
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
    if (error instanceof ApiError && (error.status === 404 || error.status === 409)) return otherwise;
    throw error;
  }
}

const SUCCESS = { success: true };

export function mediaEndpoints(context: CloudContext): CompatEndpoint[] {
  return [
    onNumber(
      context,
      ['POST', '/:id/media'],
      'uploadMedia',
      async (call) => {
        const headers = Object.fromEntries(
          ['content-type', 'content-length'].map((name) => [name, call.header(name)]),
        );
        const { media_id } = await call.invoke(operations.uploadMedia, { body: call.body, headers });
        return { id: media_id };
      },
      { takesFile: true, permission: 'messages', bodyMaxBytes: bodyLimit(operations.uploadMedia) },
    ),
    endpoint(
      ['DELETE', '/:id'],
      'deleteMedia',
      async ({ caller, params: { id = '' } }) => {
        await context.media.forget(caller, id);
        return SUCCESS;
      },
      { permission: 'messages' },
    ),
  ];
}

/** Metadata of a file; `url` returns its bytes to the same key. Downloads the file from the network if it is still there. */
async function describeMedia(
  context: CloudContext,
  { caller, origin, params }: Pick<CompatVisit, 'caller' | 'origin' | 'params'>,
): Promise<object> {
  const { id = '' } = params;
  const { mimetype, sha256, size } = await context.media.obtain(caller, id);
  return {
    messaging_product: 'whatsapp',
    url: new URL(`/v1/media/${encodeURIComponent(id)}`, context.publicUrl() ?? origin).href,
    mime_type: mimetype,
    sha256,
    file_size: size,
    id,
  };
}

/** Fields that the network keeps for business accounts of its own, and that linked devices cannot read. */
const OUT_OF_REACH = ['address', 'description', 'email', 'websites', 'vertical'];

export function profileEndpoints(context: CloudContext): CompatEndpoint[] {
  return [
    onNumber(
      context,
      ['GET', '/:id/whatsapp_business_profile'],
      'getProfile',
      async (call) => {
        const { number } = call.subject;
        const params = { id: userJid(number.phone), jid: userJid(number.phone) };
        const { status } = await call.invoke(operations.getContact, { params });
        const picture = await call.invoke(operations.getContactPhoto, { params }).catch((error: unknown) => {
          if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return undefined;
          throw error;
        });
        const url = picture?.picture.url;
        return {
          data: [{ messaging_product: 'whatsapp', about: status, ...(url && { profile_picture_url: url }) }],
        };
      },
      { permission: 'contacts' },
    ),
    onNumber(
      context,
      ['POST', '/:id/whatsapp_business_profile'],
      'changeProfile',
      async ({ body, invoke, subject: { number } }) => {
        const unknown = OUT_OF_REACH.find((field) => field in body);
        if (unknown)
          throw new GraphError(131009, `${unknown} of the profile can be changed on the phone only.`);
        const params = { id: userJid(number.phone) };
        const { about, profile_picture_handle: handle } = body;
        if (about !== undefined)
          await invoke(operations.setProfileStatus, { params, body: { status: about } });
        if (handle !== undefined)
          await invoke(operations.setProfilePhoto, { params, body: { media_id: handle } });
        return { success: true };
      },
      { permission: 'contacts', input: { body: ProfileBody } },
    ),
  ];
}
