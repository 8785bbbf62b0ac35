import { operations } from '@parley/contract';
import type { CompatEndpoint } from '#platform/http';
import { NO_BODY_BYTES, SMALL_BODY_BYTES } from '../fields.ts';
import {
  type EvolutionContext,
  type InstanceCall,
  linkOf,
  onInstance,
  type Settings,
  sessionOf,
  stateOf,
} from '../instances.ts';
import { badRequest } from '../refusals.ts';
import { ProxyBody, SettingsBody, type SettingsGiven } from './bodies.ts';

/** Settings without effect here: refused when switched on, and shown as off. */
const UNSUPPORTED = ['alwaysOnline', 'readMessages', 'readStatus'] as const;

export function readSettings(given: SettingsGiven, before?: Settings): Settings {
  for (const name of UNSUPPORTED) {
    if (given[name]) throw badRequest(`${name} cannot be switched on here`);
  }
  for (const name of ['msgCall', 'wavoipToken'] as const) {
    if (given[name]) throw badRequest(`${name} cannot be used here`);
  }
  return {
    rejectCall: given.rejectCall ?? before?.rejectCall ?? false,
    groupsIgnore: given.groupsIgnore ?? before?.groupsIgnore ?? false,
    syncFullHistory: given.syncFullHistory ?? before?.syncFullHistory ?? false,
  };
}

/** Settings in the format of this interface. */
export function shownSettings({ rejectCall, groupsIgnore, syncFullHistory }: Settings): object {
  return {
    rejectCall,
    msgCall: '',
    groupsIgnore,
    alwaysOnline: false,
    readMessages: false,
    readStatus: false,
    syncFullHistory,
    wavoipToken: '',
  };
}

/** The session rejects calls, so it has to appear online. */
async function applySettings(
  call: Pick<InstanceCall, 'instance' | 'invoke'>,
  { rejectCall }: Settings,
): Promise<void> {
  if (stateOf(await linkOf(call)) !== 'open') return;
  const params = { id: sessionOf(call.instance) };
  await call.invoke(operations.setCallAutoReject, { params, body: { enabled: rejectCall } });
}

export function settingsEndpoints(context: EvolutionContext): CompatEndpoint[] {
  return [
    onInstance(
      context,
      ['POST', '/settings/set'],
      async (call) => {
        const settings = readSettings(call.body, call.instance.remembered.settings);
        await applySettings(call, settings);
        await context.instances.remember(call.instance, { ...call.instance.remembered, settings });
        const shown = { instanceName: call.instance.name, settings: shownSettings(settings) };
        return { status: 201, body: { settings: shown } };
      },
      { permission: 'sessions', input: { body: SettingsBody }, bodyMaxBytes: SMALL_BODY_BYTES },
    ),
    onInstance(
      context,
      ['GET', '/settings/find'],
      async ({ instance }) => ({ body: shownSettings(instance.remembered.settings) }),
      { permission: 'none', input: {}, bodyMaxBytes: NO_BODY_BYTES },
    ),
  ];
}

/** The operator sets the proxies of numbers (`PARLEY_WHATSAPP_PROXIES`), so no instance has a proxy of its own. */
export function proxyEndpoints(context: EvolutionContext): CompatEndpoint[] {
  return [
    onInstance(
      context,
      ['POST', '/proxy/set'],
      async ({ body }) => {
        if (body.enabled) throw badRequest('Proxy is disabled');
        const none = { enabled: false, host: '', port: '', protocol: '', username: '', password: '' };
        return { status: 201, body: none };
      },
      { permission: 'none', input: { body: ProxyBody }, bodyMaxBytes: SMALL_BODY_BYTES },
    ),
    onInstance(context, ['GET', '/proxy/find'], async () => ({ body: null }), {
      permission: 'none',
      input: {},
      bodyMaxBytes: NO_BODY_BYTES,
    }),
  ];
}
