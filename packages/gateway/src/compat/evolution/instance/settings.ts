import { operations } from '@parley/contract';
import type { ForeignEndpoint } from '#http';
import { type Fields, fieldsOf, flag, optionalText } from '../input.ts';
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

/** What would have no effect here is refused when it is switched on, and shown as off. */
const UNSUPPORTED = ['alwaysOnline', 'readMessages', 'readStatus'] as const;

export function readSettings(fields: Fields, before?: Settings): Settings {
  for (const name of UNSUPPORTED) {
    if (flag(fields, name)) throw badRequest(`${name} cannot be switched on here`);
  }
  for (const name of ['msgCall', 'wavoipToken']) {
    if (optionalText(fields, name)) throw badRequest(`${name} cannot be used here`);
  }
  return {
    rejectCall: flag(fields, 'rejectCall') ?? before?.rejectCall ?? false,
    groupsIgnore: flag(fields, 'groupsIgnore') ?? before?.groupsIgnore ?? false,
    syncFullHistory: flag(fields, 'syncFullHistory') ?? before?.syncFullHistory ?? false,
  };
}

/** As this interface shows them. */
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

/** Calls are rejected by the session itself, so that takes one which is online. */
async function applySettings(call: InstanceCall, { rejectCall }: Settings): Promise<void> {
  if (stateOf(await linkOf(call)) !== 'open') return;
  const params = { id: sessionOf(call.instance) };
  await call.invoke(operations.setCallAutoReject, { params, body: { enabled: rejectCall } });
}

export function settingsEndpoints(context: EvolutionContext): ForeignEndpoint[] {
  return [
    onInstance(
      context,
      ['POST', '/settings/set'],
      async (call) => {
        const settings = readSettings(fieldsOf(call.body), call.instance.remembered.settings);
        await applySettings(call, settings);
        await context.instances.remember(call.instance, { ...call.instance.remembered, settings });
        const shown = { instanceName: call.instance.name, settings: shownSettings(settings) };
        return { status: 201, body: { settings: shown } };
      },
      { permission: 'sessions' },
    ),
    onInstance(context, ['GET', '/settings/find'], async ({ instance }) => ({
      body: shownSettings(instance.remembered.settings),
    })),
  ];
}
