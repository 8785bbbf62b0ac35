import type { ErrorDefinition } from './error-type.ts';

export const operatorErrors = {
  operator_token_invalid: {
    status: 401,
    text: 'operator token missing or invalid',
    advice: 'The operator API takes `PARLEY_OPERATOR_TOKEN` as a bearer token, and no API key.',
  },
  metrics_token_invalid: {
    status: 401,
    text: 'metrics token missing or invalid',
    advice:
      'In production `/metrics` takes `PARLEY_METRICS_TOKEN` as a bearer token, or the operator token where none is set.',
  },
  account_not_found: { status: 404, text: 'account not found', advice: 'No account has this id.' },
  api_key_not_found: {
    status: 404,
    text: 'api key not found',
    advice: 'No key of this account has this id; perhaps it was revoked already.',
  },
  member_not_found: {
    status: 404,
    text: 'member not found',
    advice: 'The account has no member with this id or email.',
  },
  account_ending: {
    status: 409,
    text: 'account is to be deleted; cancel that first',
    advice:
      'Its owner or the operator cancels the deletion within the days of grace. See [The portal](portal.md#account).',
  },
  deletion_not_found: {
    status: 404,
    text: 'account is not to be deleted, or its deletion has begun',
    advice: 'Nothing was asked for, it was canceled, or it is too late.',
  },
  quarantined_not_found: {
    status: 404,
    text: 'there is no such thing in the quarantine',
    advice: 'It was dropped, or its 30 days are over.',
  },
  export_not_found: {
    status: 404,
    text: 'export not found',
    advice: 'It is still being prepared, or its time is over. Ask for another one.',
  },
  email_taken: { status: 409, text: 'email already has an account', advice: 'An email opens one account.' },
  phone_taken: {
    status: 409,
    text: 'phone is already registered',
    advice: 'A number belongs to one account of the gateway.',
  },
  free_plan_holds_one_number: {
    status: 409,
    text: 'a free account holds one number',
    advice: 'Put the first number on another plan before registering a second.',
  },
  tos_version_exists: {
    status: 409,
    text: 'terms of service version already exists',
    advice: 'Published terms are not changed. Publish them under a new version.',
  },
  invoice_not_found: {
    status: 404,
    text: 'invoice not found',
    advice: 'No invoice that you may see has this id.',
  },
  invoice_without_charge: {
    status: 409,
    text: 'this invoice asks for nothing',
    advice: 'There is nothing to pay: its plan had no price, or the price was 0.',
  },
  tos_missing: {
    status: 409,
    text: 'there are no terms of service to accept',
    advice: 'Publish a version first.',
  },
} as const satisfies Record<string, ErrorDefinition>;
