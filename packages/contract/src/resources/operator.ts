import Type from 'typebox';
import { PERMISSIONS, PLANS } from '../plans.ts';
import { IsoTime, Phone } from '../primitives.ts';
import { MEMBER_ROLES } from '../roles.ts';
import { named, nextCursor, nullable, oneOf } from '../schema.ts';
import { absenceFields, SESSION_STATUSES } from './sessions.ts';

export const ACCOUNT_STATUSES = ['active', 'suspended'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

export const PartnerLimits = Type.Object({
  per_minute: Type.Integer({ minimum: 1 }),
  per_period: Type.Integer({ minimum: 1 }),
});
export type PartnerLimits = Type.Static<typeof PartnerLimits>;

export const Account = named('Account', {
  account_id: Type.String({ examples: ['acc_01j9z6m4k2'] }),
  name: Type.String(),
  email: Type.String(),
  status: oneOf(ACCOUNT_STATUSES),
  tos_accepted_version: nullable(Type.String()),
  partner_limits: nullable(PartnerLimits),
});
export type Account = Type.Static<typeof Account>;
export const AccountList = named('AccountList', {
  accounts: Type.Array(Account),
  next_cursor: nextCursor,
});

export const Member = named('Member', {
  member_id: Type.String({ examples: ['mem_01j9z6m4k2'] }),
  name: Type.String(),
  email: Type.String(),
  role: oneOf(MEMBER_ROLES),
  has_password: Type.Boolean({ description: 'False: signs in by a link first.' }),
  two_factor: Type.Boolean({ description: 'Signing in takes a code of an authenticator app too.' }),
  joined_at: IsoTime,
});
export type Member = Type.Static<typeof Member>;
export const MemberList = named('MemberList', {
  members: Type.Array(Member, { description: 'In the order in which they joined.' }),
});

export type MemberList = Type.Static<typeof MemberList>;

export const PasswordLink = named('PasswordLink', {
  email: Type.String({ description: 'Whose password it changes.' }),
  url: Type.String({ description: 'Works once and is shown only now. Give it to that person only.' }),
  expires_at: IsoTime,
});
export type PasswordLink = Type.Static<typeof PasswordLink>;

const apiKey = {
  key_id: Type.String({ examples: ['key_01j9z6m4k2'] }),
  prefix: Type.String({
    description: 'The part of the key that is safe to show.',
    examples: ['pk_4fzyo82m'],
  }),
  name: Type.String(),
  phone: nullable(Phone, { description: 'The one number the key is restricted to.' }),
  permissions: Type.Array(oneOf(PERMISSIONS)),
  expires_at: nullable(IsoTime),
};
export const ApiKey = named('ApiKey', apiKey);
export type ApiKey = Type.Static<typeof ApiKey>;
export const ApiKeyCreated = named('ApiKeyCreated', {
  ...apiKey,
  api_key: Type.String({ description: 'Shown only now.' }),
});
export type ApiKeyCreated = Type.Static<typeof ApiKeyCreated>;
export const ApiKeyList = named('ApiKeyList', {
  api_keys: Type.Array(ApiKey),
  next_cursor: nextCursor,
});

export const DEVICE_STATUSES = ['active', 'inactive', 'suspended'] as const;
export type DeviceStatus = (typeof DEVICE_STATUSES)[number];

export const Device = named('Device', {
  slot_id: Type.String({ examples: ['slot_01j9z6m4k2'] }),
  phone: Phone,
  plan: oneOf(PLANS),
  status: oneOf(DEVICE_STATUSES),
  activated_at: nullable(IsoTime),
  period_start: nullable(IsoTime),
  period_end: nullable(IsoTime),
  quota: Type.Integer({ description: 'Messages included in this period.' }),
  used: Type.Integer({ description: 'Messages accepted in this period.' }),
  nickname: nullable(Type.String({ examples: ['Front desk'] }), { description: 'What its owner calls it.' }),
  canceled_at: nullable(IsoTime, {
    description: 'When its owner ended the plan; then `status` is `inactive`.',
  }),
});
export type Device = Type.Static<typeof Device>;
export const DeviceList = named('DeviceList', {
  devices: Type.Array(Device),
  next_cursor: nextCursor,
});

export const TermsPublished = named('TermsPublished', {
  version: Type.String({ examples: ['2026-07'] }),
  url: Type.String(),
  effective_at: IsoTime,
});

export const HostedSession = named('HostedSession', {
  session_id: Type.String(),
  account_id: Type.String(),
  phone: Phone,
  status: oneOf(SESSION_STATUSES),
  worker: nullable(Type.String(), { description: 'The worker that hosts it.' }),
  since: IsoTime,
  ...absenceFields,
});
export type HostedSession = Type.Static<typeof HostedSession>;
export const HostedSessionList = named('HostedSessionList', {
  sessions: Type.Array(HostedSession),
  next_cursor: nextCursor,
});

export const Worker = named('Worker', {
  worker: Type.String(),
  sessions: Type.Integer({ description: 'How many sessions it hosts.' }),
  started_at: IsoTime,
  last_seen: IsoTime,
});
export type Worker = Type.Static<typeof Worker>;
export const WorkerList = named('WorkerList', { workers: Type.Array(Worker) });
