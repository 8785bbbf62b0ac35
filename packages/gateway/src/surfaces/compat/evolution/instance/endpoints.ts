import { operations, type Session } from '@parley/contract';
import { type Actor, devicesOf } from '#accounts';
import { apiError } from '#kernel';
import {
  type Caller,
  type CompatEndpoint,
  type CompatRequest,
  compatEndpoint,
  type OwnedNumber,
  requireReach,
} from '#platform/http';
import { dropFormattedWebhook, formattedWebhook } from '#webhooks';
import { NO_BODY_BYTES, SMALL_BODY_BYTES } from '../fields.ts';
import {
  type EvolutionContext,
  endTokens,
  type Instance,
  type InstanceCall,
  isInstanceName,
  keyAsMaker,
  linkOf,
  makeToken,
  mayHave,
  NAME_RULE,
  onInstance,
  SURFACE,
  sessionOf,
  stateOf,
} from '../instances.ts';
import { badRequest, forbidden, invalid } from '../refusals.ts';
import { setWebhook, shownOptions } from '../webhook/endpoints.ts';
import { ConnectQuery, CreateBody, INSTANCES_MAX, InstancesQuery, PresenceBody } from './bodies.ts';
import type { Pairings } from './pairing.ts';
import { readSettings, shownSettings } from './settings.ts';

const INTEGRATION = 'WHATSAPP-BAILEYS';

/** Limit of bodies with a few fields. */
const asked = { permission: 'sessions', input: {}, bodyMaxBytes: NO_BODY_BYTES } as const;

export function instanceEndpoints(context: EvolutionContext, pairings: Pairings): CompatEndpoint[] {
  const { instances } = context;
  return [
    compatEndpoint({
      id: 'create',
      method: 'POST',
      path: '/instance/create',
      permission: 'sessions',
      input: { body: CreateBody },
      bodyMaxBytes: SMALL_BODY_BYTES,
      handle: (call) => create(context, pairings, call),
    }),
    compatEndpoint({
      id: 'fetchInstances',
      method: 'GET',
      path: '/instance/fetchInstances',
      permission: 'sessions',
      input: { query: InstancesQuery },
      bodyMaxBytes: NO_BODY_BYTES,
      pageMax: INSTANCES_MAX,
      async handle({ caller, invoke, query }) {
        const { instanceName, instanceId, offset = 0, limit = INSTANCES_MAX } = query;
        const all = await instances.list(caller);
        const { sessions } = await invoke(operations.listSessions);
        const shown = all
          .filter(({ name }) => instanceName === undefined || name === instanceName)
          .filter(({ number }) => instanceId === undefined || number.slotId === instanceId)
          .slice(offset, offset + limit);
        return { body: shown.map((instance) => shownInstance(instance, sessions, caller)) };
      },
    }),
    onInstance(
      context,
      ['GET', '/instance/connect'],
      async (call) => {
        if (stateOf(await linkOf(call)) === 'open') return { body: shownState(call.instance, 'open') };
        const method = call.query.number === undefined ? 'qr' : 'code';
        return { body: await pairings.begin(call, method) };
      },
      { ...asked, input: { query: ConnectQuery } },
    ),
    ...(['POST', 'PUT'] as const).map((method) =>
      // The host reconnects a session that has lost its connection, so there is nothing to do.
      onInstance(
        context,
        [method, '/instance/restart'],
        async (call) => ({
          body: { instance: { instanceName: call.instance.name, status: stateOf(await linkOf(call)) } },
        }),
        asked,
      ),
    ),
    onInstance(
      context,
      ['GET', '/instance/connectionState'],
      async (call) => ({ body: shownState(call.instance, stateOf(await linkOf(call))) }),
      asked,
    ),
    onInstance(
      context,
      ['POST', '/instance/setPresence'],
      async (call) => {
        const { presence } = call.body;
        if (presence !== 'available' && presence !== 'unavailable')
          throw invalid('presence is not one of enum values: available,unavailable');
        const params = { id: sessionOf(call.instance) };
        await call.invoke(operations.setPresencePolicy, { params, body: { policy: presence } });
        return { status: 201, body: { presence } };
      },
      { ...asked, input: { body: PresenceBody } },
    ),
    onInstance(
      context,
      ['DELETE', '/instance/logout'],
      async (call) => {
        const link = await linkOf(call);
        if (!link || link.status === 'logged_out')
          throw badRequest(`The "${call.instance.name}" instance is not connected`);
        await call.invoke(operations.deleteSession, { params: { id: sessionOf(call.instance) } });
        return { body: done('Instance logged out') };
      },
      asked,
    ),
    onInstance(
      context,
      ['DELETE', '/instance/delete'],
      async (call) => {
        const { instance } = call;
        const link = await linkOf(call);
        if (link && link.status !== 'logged_out')
          await call.invoke(operations.deleteSession, { params: { id: sessionOf(instance) } });
        await forget(context, call);
        return { body: done('Instance deleted') };
      },
      asked,
    ),
  ];
}

/** Deletes the name, the webhook and the token in one transaction; the number stays. */
async function forget(
  context: EvolutionContext,
  { instance, caller }: Pick<InstanceCall, 'instance' | 'caller'>,
): Promise<void> {
  const actor: Actor = `key:${caller.keyId}`;
  let announce = () => {};
  await context.instances.drop(instance, async (trx) => {
    announce = await dropFormattedWebhook(trx, context.webhooks, instance.number, SURFACE, actor);
    await endTokens(trx, context, actor, instance);
  });
  announce();
}

async function create(
  context: EvolutionContext,
  pairings: Pairings,
  call: CompatRequest<{ body: typeof CreateBody }>,
) {
  const { instanceName: name, integration = INTEGRATION, number: written, webhook, ...wishes } = call.body;
  if (!isInstanceName(name)) throw badRequest(`instanceName must be ${NAME_RULE}`);
  if (integration !== INTEGRATION) throw badRequest(`integration must be ${INTEGRATION}`);
  const settings = readSettings(wishes);
  const number = await chooseNumber(context, call.caller, written);
  if (webhook?.url && call.caller.permissions?.has('webhooks') === false)
    throw apiError('permission_missing', { permission: 'webhooks' });
  const given = await context.instances.give(number, name, async (trx) => ({
    settings,
    ...(await makeToken(trx, context, keyAsMaker(call.caller), number, name)),
  }));
  if (!given) throw forbidden(`This name "${name}" is already in use.`);
  const instance = await context.instances.find(call.caller, name);
  if (!instance) throw apiError('device_not_found');
  const inner = { ...call, instance };
  let qrcode: object | undefined;
  try {
    // Clients of this interface look messages up again, so the number has to store its conversations.
    const kept = { params: { id: sessionOf(instance) }, body: { enabled: true } };
    await call.invoke(operations.setHistory, kept);
    if (webhook?.url) await setWebhook(context, inner, webhook);
    qrcode = wishes.qrcode ? await pairings.begin(inner, 'qr') : undefined;
  } catch (error) {
    await forget(context, inner);
    throw error;
  }
  const stored = await formattedWebhook(context.webhooks, number, SURFACE);
  const options = shownOptions(stored);
  return {
    status: 201,
    body: {
      instance: {
        instanceName: name,
        instanceId: number.slotId,
        integration,
        webhookWaBusiness: null,
        accessTokenWaBusiness: '',
        status: qrcode ? 'connecting' : 'close',
      },
      hash: instance.remembered.token,
      webhook: {
        ...(stored && { webhookUrl: options.url, webhookHeaders: options.headers }),
        ...(stored && { webhookByEvents: options.byEvents, webhookBase64: options.base64 }),
      },
      websocket: { enabled: false },
      rabbitmq: { enabled: false },
      nats: { enabled: false },
      sqs: { enabled: false },
      settings: shownSettings(settings),
      ...(qrcode && { qrcode }),
    },
  };
}

/** Selects the number for the name: the one in the body, the key's own, or the only one without a name. */
async function chooseNumber(
  context: EvolutionContext,
  caller: Caller,
  written: string | undefined,
): Promise<OwnedNumber> {
  const devices = await devicesOf(context.store.read, caller.accountId);
  const numbers = devices.map(({ slot_id, account_id, phone, plan }) => ({
    ...{ slotId: slot_id, accountId: account_id, phone, plan },
  }));
  const phone = written?.replaceAll(/\D/g, '') ?? caller.phone ?? undefined;
  if (phone !== undefined) {
    const found = numbers.find((number) => number.phone === phone);
    if (!found) throw badRequest(`The number ${phone} is not registered for this account`);
    requireReach(caller, phone);
    return found;
  }
  const owner = { ...caller, phone: null };
  const named = new Set((await context.instances.list(owner)).map(({ number }) => number.slotId));
  const [free, another] = numbers.filter(({ slotId }) => !named.has(slotId));
  if (!free)
    throw badRequest('Every number of this account has an instance already; register another one first');
  if (another) throw badRequest('number is required: the account has several numbers without an instance');
  return free;
}

function shownState({ name }: Instance, state: string): object {
  return { instance: { instanceName: name, state } };
}

function done(message: string): object {
  return { status: 'SUCCESS', error: false, response: { message } };
}

function shownInstance(instance: Instance, sessions: readonly Session[], caller: Caller): object {
  const { number, remembered } = instance;
  const session = sessions.find(({ phone }) => phone === number.phone);
  const linked = session !== undefined && session.status !== 'logged_out';
  return {
    id: number.slotId,
    name: instance.name,
    connectionStatus: stateOf(session),
    ownerJid: linked ? `${number.phone}@s.whatsapp.net` : null,
    profileName: null,
    profilePicUrl: null,
    integration: INTEGRATION,
    number: number.phone,
    businessId: null,
    token: mayHave(caller, remembered) ? remembered.token : null,
    clientName: 'parley',
    disconnectionReasonCode: null,
    disconnectionObject: null,
    disconnectionAt: null,
    createdAt: new Date(instance.createdAt).toISOString(),
    updatedAt: new Date(instance.updatedAt).toISOString(),
    Chatwoot: null,
    Proxy: null,
    Rabbitmq: null,
    Nats: null,
    Sqs: null,
    Websocket: null,
    Setting: {
      id: number.slotId,
      ...shownSettings(remembered.settings),
      createdAt: new Date(instance.createdAt).toISOString(),
      updatedAt: new Date(instance.updatedAt).toISOString(),
      instanceId: number.slotId,
    },
    _count: { Message: 0, Contact: 0, Chat: 0 },
  };
}
