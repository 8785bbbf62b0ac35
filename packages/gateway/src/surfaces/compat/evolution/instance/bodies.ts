import { ID_MAX_LENGTH, NAME_MAX_LENGTH } from '@parley/contract';
import Type, { type Static } from 'typebox';
import { OptionalFlag, OptionalId, OptionalLines, OptionalName, OptionalText, Text } from '../fields.ts';
import { INSTANCE_NAME_MAX_LENGTH } from '../instances.ts';
import { WebhookFields } from '../webhook/options.ts';

/** Settings of an instance, including those without effect, which are refused when switched on. */
const settings = {
  rejectCall: OptionalFlag,
  groupsIgnore: OptionalFlag,
  syncFullHistory: OptionalFlag,
  alwaysOnline: OptionalFlag,
  readMessages: OptionalFlag,
  readStatus: OptionalFlag,
  msgCall: OptionalLines(1_024),
  wavoipToken: OptionalName,
};
export const SettingsBody = Type.Object(settings);
export type SettingsGiven = Static<typeof SettingsBody>;

export const CreateBody = Type.Object({
  instanceName: Text(INSTANCE_NAME_MAX_LENGTH),
  integration: OptionalName,
  number: OptionalText(ID_MAX_LENGTH),
  qrcode: OptionalFlag,
  webhook: Type.Optional(WebhookFields),
  ...settings,
});

/** Instances per answer. */
export const INSTANCES_MAX = 1_000;
export const InstancesQuery = Type.Object({
  instanceName: OptionalText(INSTANCE_NAME_MAX_LENGTH),
  instanceId: OptionalId,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: INSTANCES_MAX })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
});

export const ConnectQuery = Type.Object({ number: OptionalText(ID_MAX_LENGTH) });
export const PresenceBody = Type.Object({ presence: Text(NAME_MAX_LENGTH) });
export const ProxyBody = Type.Object({ enabled: OptionalFlag });
