import type { Feature, Permission, Plan } from '../plans.ts';
import type { ErrorDefinition } from './error-type.ts';

export const callerErrors = {
  api_key_invalid: {
    status: 401,
    text: 'api key missing or invalid',
    advice:
      'There is no `Authorization: Bearer` header, or its key was never made, was revoked or has expired. Make another in the portal.',
  },
  tos_not_accepted: {
    status: 403,
    text: 'tos not accepted',
    advice:
      'There are new terms of service. The owner accepts them in the portal; `GET /v1/tos` says which version waits.',
  },
  account_suspended: {
    status: 403,
    text: 'account suspended',
    advice: 'The operator has suspended the account. No key of it works until that is lifted.',
  },
  permission_missing: {
    status: 403,
    text: (p: { permission: Permission }) => `api key lacks permission ${p.permission}`,
    sample: { permission: 'groups' },
    advice: 'The key was made with a list of permissions that lacks this one. Make another key.',
  },
  key_restricted: {
    status: 403,
    text: 'api key is restricted to another number',
    advice: 'The key belongs to one number of the account, and the request is about another one.',
  },
  session_not_owned: {
    status: 403,
    text: 'session does not belong to this user',
    advice:
      'The number of this `session_id` is not registered in the account of the key. Look for a mixed-up key.',
  },
  plan_lacks_feature: {
    status: 403,
    text: (p: { plan: Plan; feature: Feature }) => `plan ${p.plan} does not include ${p.feature}`,
    sample: { plan: 'free', feature: 'media' },
    advice:
      'The plan of this number does not have that kind of message or operation. See [Limits](limits.md#plans).',
  },
} as const satisfies Record<string, ErrorDefinition>;
