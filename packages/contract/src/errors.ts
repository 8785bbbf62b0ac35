import {
  BODIES_RETRY_AFTER_SECONDS,
  COOLDOWN_PAUSE_SECONDS,
  EVENT_STREAMS_PER_ACCOUNT,
  EVENT_STREAMS_PER_KEY,
  EVENT_STREAMS_RETRY_AFTER_SECONDS,
  IDEMPOTENCY_KEY_MAX_LENGTH,
  MEDIA_OFFLINE_RETRY_AFTER_SECONDS,
  MEDIA_STORE_RETRY_AFTER_SECONDS,
  MEDIA_UPLOADS_RETRY_AFTER_SECONDS,
  MEMBERS_MAX,
  NETWORK_ACTION_TIMEOUT_SECONDS,
  NETWORK_ACTIONS_RETRY_AFTER_SECONDS,
  PORTAL_TEST_SEND_INTERVAL_SECONDS,
} from './limits.ts';
import { MEDIA_NOUNS, type MediaType } from './media-types.ts';
import type { Feature, Permission, Plan } from './plans.ts';

/**
 * All errors a caller may ever see, on every surface. The texts are public interface: integrators match on them.
 * `text` is a function where the sentence carries a value; `sample` then holds values for the documentation.
 * `retryAfterSeconds` fills the Retry-After header: a number where it is fixed, `given` where whoever raises the error knows it.
 */
export const ERRORS = {
  // Any request
  invalid_field: { status: 400, text: (p: { text: string }) => p.text, sample: { text: 'to is required' } },
  body_not_json: { status: 400, text: 'body is not valid JSON' },
  host_twice: { status: 400, text: 'header Host must be given once' },
  not_http: { status: 400, text: 'not an HTTP request' },
  request_too_slow: { status: 408, text: 'request took too long to arrive' },
  headers_too_large: { status: 431, text: 'request headers are too large' },
  content_type_not_json: { status: 415, text: 'content type must be application/json' },
  body_too_large: { status: 413, text: 'body is too large' },
  too_many_own_bodies: {
    status: 429,
    text: 'too many request bodies of yours are under way; retry shortly',
    retryAfterSeconds: BODIES_RETRY_AFTER_SECONDS,
  },
  too_many_bodies: {
    status: 503,
    text: 'too many request bodies are under way; retry shortly',
    retryAfterSeconds: BODIES_RETRY_AFTER_SECONDS,
  },
  not_found: { status: 404, text: 'not found' },
  method_not_allowed: { status: 405, text: 'method not allowed' },
  internal_error: {
    status: 500,
    text: (p: { requestId: string }) => `internal error (request ${p.requestId})`,
    sample: { requestId: 'req_01j9z6m4' },
  },
  shutting_down: { status: 503, text: 'gateway is shutting down; retry shortly', retryAfterSeconds: 1 },

  store_unreachable: { status: 502, text: 'gateway could not reach its database; retry later' },
  not_ready: {
    status: 503,
    text: (p: { part: string }) => `${p.part} is not usable`,
    sample: { part: 'store' },
  },

  // Who is asking
  api_key_invalid: { status: 401, text: 'api key missing or invalid' },
  tos_not_accepted: { status: 403, text: 'tos not accepted' },
  account_suspended: { status: 403, text: 'account suspended' },
  permission_missing: {
    status: 403,
    text: (p: { permission: Permission }) => `api key lacks permission ${p.permission}`,
    sample: { permission: 'groups' },
  },
  key_restricted: { status: 403, text: 'api key is restricted to another number' },
  session_not_owned: { status: 403, text: 'session does not belong to this user' },
  plan_lacks_feature: {
    status: 403,
    text: (p: { plan: Plan; feature: Feature }) => `plan ${p.plan} does not include ${p.feature}`,
    sample: { plan: 'free', feature: 'media' },
  },

  // Sessions and pairing
  session_not_hosted: { status: 409, text: 'session is not currently hosted by any worker' },
  session_not_found: { status: 404, text: 'session not found' },
  device_not_found: { status: 404, text: 'device not found' },
  device_not_active: { status: 403, text: 'device is not active' },
  number_already_linked: { status: 409, text: 'number is already linked; delete the session first' },
  onboarding_not_found: { status: 404, text: 'onboarding not found' },
  passkey_not_asked: { status: 409, text: 'onboarding does not wait for a passkey' },
  confirmation_not_asked: { status: 409, text: 'onboarding does not wait for a confirmation' },
  passkey_of_another_challenge: {
    status: 400,
    text: 'credential does not answer the challenge of this onboarding',
  },

  history_off: {
    status: 409,
    text: 'number does not keep its conversations; switch that on with PUT /v1/sessions/{id}/history',
  },

  // Sending
  idempotency_key_required: { status: 400, text: 'Idempotency-Key header is required' },
  idempotency_key_too_long: {
    status: 400,
    text: `Idempotency-Key must be at most ${IDEMPOTENCY_KEY_MAX_LENGTH} characters`,
  },
  idempotency_key_reused: { status: 400, text: 'Idempotency-Key was already used with a different request' },
  media_pair_incomplete: { status: 400, text: 'media_type and media_url are required together' },
  edit_window_passed: { status: 400, text: 'message is too old to edit: the limit is 20 minutes' },
  message_not_own: { status: 400, text: 'only messages sent by this session can be edited' },
  session_rate_exceeded: { status: 429, text: 'session send rate exceeded', retryAfterSeconds: 'given' },
  account_rate_exceeded: { status: 429, text: 'user rate limit exceeded', retryAfterSeconds: 'given' },
  /** 300 seconds when the pause begins, then what is left of it. */
  cooldown: {
    status: 429,
    text: 'consecutive send cooldown: too many messages sent back-to-back on this number; pause before sending again',
    retryAfterSeconds: 'given',
    sample: { retryAfterSeconds: COOLDOWN_PAUSE_SECONDS },
  },
  held_back: {
    status: 429,
    text: (p: { why: string }) => `held back to protect this number: ${p.why}`,
    retryAfterSeconds: 'given',
    sample: {
      why: 'the network lets it begin no new chats, until 2026-07-18T14:00:00Z',
      retryAfterSeconds: 3_600,
    },
  },
  quota_exhausted: { status: 429, text: 'message quota exhausted' },
  test_send_too_soon: {
    status: 429,
    text: `test sends are limited to one in ${PORTAL_TEST_SEND_INTERVAL_SECONDS} seconds per number`,
    retryAfterSeconds: 'given',
  },
  enqueue_failed: {
    status: 502,
    text: 'message could not be queued; retry with the same Idempotency-Key',
  },
  message_not_found: { status: 404, text: 'message not found' },

  // Actions on the network
  too_many_actions: {
    status: 429,
    text: 'too many concurrent requests for this number; retry shortly',
    retryAfterSeconds: NETWORK_ACTIONS_RETRY_AFTER_SECONDS,
  },
  host_unreachable: {
    status: 502,
    text: 'gateway could not reach the process that hosts this number; retry later',
  },
  network_unreachable: { status: 502, text: 'network could not be reached; retry later' },
  network_timeout: {
    status: 502,
    text: `network did not answer within ${NETWORK_ACTION_TIMEOUT_SECONDS} seconds; retry later`,
  },
  network_forbids: { status: 403, text: 'network does not allow this operation for this session' },
  network_rejects: { status: 400, text: 'network rejected the request as malformed' },
  group_admin_required: { status: 403, text: 'session is not an admin of this group' },
  group_membership_required: { status: 403, text: 'session is not a member of this group' },
  channel_admin_required: { status: 403, text: 'session is not an admin of this channel' },
  group_not_found: { status: 404, text: 'group not found' },
  username_not_found: { status: 404, text: 'nobody has this username' },
  username_key_required: {
    status: 400,
    text: 'this username is guarded by a key of four digits; give it as @username:1234',
  },
  username_key_wrong: { status: 400, text: 'the key of this username is another one' },
  contact_not_found: { status: 404, text: 'contact not found' },
  channel_not_found: { status: 404, text: 'channel not found' },
  channel_message_not_found: { status: 404, text: 'channel message not found' },
  invite_not_found: { status: 404, text: 'invite link is invalid or was revoked' },
  photo_not_set: { status: 404, text: 'no profile photo was ever set' },
  photo_hidden: { status: 403, text: 'profile photo is hidden from this session' },
  blocklist_in_lid_mode: {
    status: 400,
    text: 'blocklist is not available for accounts in lid addressing mode',
  },
  media_unavailable: { status: 400, text: 'media could not be downloaded from its url' },
  media_too_large: { status: 400, text: 'media is larger than 64 MB' },
  media_of_another_type: {
    status: 400,
    text: (p: { field: string; type: MediaType }) => `${p.field} does not point to ${MEDIA_NOUNS[p.type]}`,
    sample: { field: 'image_url', type: 'image' },
  },
  picture_unusable: { status: 400, text: 'the image cannot be used as a picture' },

  // Media
  media_not_found: { status: 404, text: 'media not found' },
  media_empty: { status: 400, text: 'file is empty' },
  upload_too_large: { status: 413, text: 'file is larger than 64 MB' },
  upload_incomplete: { status: 400, text: 'file did not arrive whole' },
  upload_form_invalid: { status: 400, text: 'form must be multipart/form-data with exactly one file' },
  media_type_invalid: {
    status: 400,
    text: 'content type of the file must be a media type such as image/png',
  },
  media_offline: {
    status: 503,
    text: 'number is not online, and its file is not kept here; retry later',
    retryAfterSeconds: MEDIA_OFFLINE_RETRY_AFTER_SECONDS,
  },
  media_gone: { status: 410, text: 'neither the network nor the gateway has the file any more' },
  media_damaged: { status: 502, text: 'the network gave something else than the file that was sent' },
  media_beyond_limit: { status: 413, text: 'file is larger than 2 GB' },
  media_link_invalid: { status: 403, text: 'link is not valid' },
  media_link_expired: { status: 410, text: 'link has expired; ask for a new one' },
  media_range_invalid: { status: 416, text: 'range lies outside the file' },
  media_store_unreachable: {
    status: 503,
    text: 'gateway could not reach its media store; retry later',
    retryAfterSeconds: MEDIA_STORE_RETRY_AFTER_SECONDS,
  },
  media_storage_exhausted: { status: 429, text: 'media storage of this account is exhausted' },
  too_many_uploads: {
    status: 429,
    text: 'too many concurrent uploads for this account; retry shortly',
    retryAfterSeconds: MEDIA_UPLOADS_RETRY_AFTER_SECONDS,
  },

  // Webhooks
  webhook_not_found: { status: 404, text: 'webhook not found' },
  webhook_exists: { status: 409, text: 'number already has a webhook; use PUT' },
  webhook_without_url: {
    status: 400,
    text: 'at least one of messages_url, status_url, connection_url, events_url is required',
  },
  webhook_field_fixed: {
    status: 400,
    text: (p: { field: string }) => `${p.field} of a webhook cannot be changed`,
    sample: { field: 'phone' },
  },
  webhook_url_not_https: {
    status: 400,
    text: (p: { field: string }) => `${p.field} must be an https url`,
    sample: { field: 'messages_url' },
  },
  webhook_url_private: {
    status: 400,
    text: (p: { field: string }) => `${p.field} must not point to a private address`,
    sample: { field: 'messages_url' },
  },
  webhook_has_no_url: { status: 409, text: 'webhook has no url for this category' },
  delivery_not_found: { status: 404, text: 'delivery not found' },
  delivery_waiting: { status: 409, text: 'this delivery still waits to be delivered' },
  delivery_not_waiting: { status: 409, text: 'only a delivery that waits can be hurried up' },
  delivery_content_gone: { status: 409, text: 'the content of this delivery is no longer kept' },
  nothing_to_replay: { status: 409, text: 'there is nothing that could be delivered again' },
  delivery_not_dead: { status: 409, text: 'only a dead delivery can be delivered again' },
  event_not_found: { status: 404, text: 'event not found' },
  cursor_invalid: { status: 400, text: 'cursor is not valid' },
  too_many_streams: {
    status: 429,
    text: `too many event streams are open: the limits are ${EVENT_STREAMS_PER_KEY} per key and ${EVENT_STREAMS_PER_ACCOUNT} per account`,
    retryAfterSeconds: EVENT_STREAMS_RETRY_AFTER_SECONDS,
  },

  // Operator
  operator_token_invalid: { status: 401, text: 'operator token missing or invalid' },
  metrics_token_invalid: { status: 401, text: 'metrics token missing or invalid' },
  account_not_found: { status: 404, text: 'account not found' },
  api_key_not_found: { status: 404, text: 'api key not found' },
  member_not_found: { status: 404, text: 'member not found' },
  account_ending: { status: 409, text: 'account is to be deleted; cancel that first' },
  deletion_not_found: { status: 404, text: 'account is not to be deleted, or its deletion has begun' },
  quarantined_not_found: { status: 404, text: 'there is no such thing in the quarantine' },
  export_not_found: { status: 404, text: 'export not found' },
  email_taken: { status: 409, text: 'email already has an account' },
  phone_taken: { status: 409, text: 'phone is already registered' },
  free_plan_holds_one_number: { status: 409, text: 'a free account holds one number' },
  tos_version_exists: { status: 409, text: 'terms of service version already exists' },
  invoice_not_found: { status: 404, text: 'invoice not found' },
  invoice_without_charge: { status: 409, text: 'this invoice asks for nothing' },
  tos_missing: { status: 409, text: 'there are no terms of service to accept' },

  // Portal
  sign_in_required: { status: 401, text: 'sign in first' },
  sign_in_failed: { status: 401, text: 'email or password is wrong' },
  sign_in_too_often: {
    status: 429,
    text: 'too many sign-in attempts; wait a little',
    retryAfterSeconds: 'given',
  },
  sign_in_busy: {
    status: 503,
    text: 'too many sign in at this moment; retry shortly',
    retryAfterSeconds: 5,
  },
  sign_up_closed: { status: 403, text: 'sign-up is closed; ask the operator for an account' },
  second_factor_required: { status: 401, text: 'enter the code of your authenticator app' },
  code_wrong: { status: 403, text: 'code is wrong, or was used before' },
  two_factor_on: { status: 409, text: 'two-factor sign-in is on already' },
  two_factor_off: { status: 409, text: 'two-factor sign-in is off' },
  browser_session_not_found: { status: 404, text: 'this browser is signed out already' },
  email_not_verified: { status: 403, text: 'email address is not verified; follow the link in the mail' },
  role_lacks_right: { status: 403, text: 'your role in this account does not allow that' },
  last_owner: { status: 409, text: 'an account needs an owner; make somebody else one first' },
  invitation_not_found: { status: 404, text: 'invitation not found' },
  too_many_members: {
    status: 409,
    text: `an account has at most ${MEMBERS_MAX} members and invitations`,
  },
  mail_off: { status: 409, text: 'this gateway sends no mail; ask its operator for a link' },
  password_wrong: { status: 403, text: 'current password is wrong' },
  tos_superseded: { status: 409, text: 'this version of the terms is neither in force nor announced' },
  plan_by_operator: { status: 403, text: 'the plan of this number is changed by the operator' },
  link_not_found: { status: 404, text: 'this link is not valid any more; ask for a new one' },
  link_taken: { status: 403, text: 'this link was opened in another browser; ask for a new one' },
  request_forged: { status: 403, text: 'request did not come from the portal' },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof ERRORS;

export interface ErrorDefinition {
  readonly status: number;
  readonly text: string | TextMaker;
  readonly retryAfterSeconds?: number | 'given';
  readonly sample?: object;
}
/** Written as a method so that each entry may name exactly the values its own sentence needs. */
type TextMaker = { make(params: object): string }['make'];

type TextParams<D> = D extends { text: (params: infer P) => string } ? P : unknown;
type RetryParams<D> = D extends { retryAfterSeconds: 'given' } ? { retryAfterSeconds: number } : unknown;
/** The values an error needs; `unknown` when it needs none. */
export type ErrorParams<C extends ErrorCode> = TextParams<(typeof ERRORS)[C]> &
  RetryParams<(typeof ERRORS)[C]>;
/** The arguments after the code: `fault('quota_exhausted')`, `fault('plan_lacks_feature', { plan, feature })`. */
export type ErrorArguments<C extends ErrorCode> =
  unknown extends ErrorParams<C> ? [] : [params: ErrorParams<C>];

/** Carries the error's code beside its sentence, on every surface. */
export const ERROR_CODE_HEADER = 'X-Error-Code';

/** An error as it leaves the gateway: `{"error": text}` with this status, its code in a header and, where set, a Retry-After header. */
export type PublicError = {
  readonly code: ErrorCode;
  readonly status: number;
  readonly text: string;
  readonly retryAfterSeconds?: number;
};

export function publicError<C extends ErrorCode>(code: C, ...args: ErrorArguments<C>): PublicError {
  return render(code, args[0] ?? {});
}

/** The error as the documentation shows it. */
export function sampleError(code: ErrorCode): PublicError {
  const definition: ErrorDefinition = ERRORS[code];
  return render(code, { retryAfterSeconds: 1, ...definition.sample });
}

function render(code: ErrorCode, params: object): PublicError {
  const { status, text, retryAfterSeconds }: ErrorDefinition = ERRORS[code];
  const sentence = typeof text === 'string' ? text : text(params);
  if (retryAfterSeconds === undefined) return { code, status, text: sentence };
  if (retryAfterSeconds !== 'given') return { code, status, text: sentence, retryAfterSeconds };
  const given = 'retryAfterSeconds' in params ? Number(params.retryAfterSeconds) : Number.NaN;
  // Whole seconds, rounded up: a caller that waits exactly this long must not be refused again.
  return { code, status, text: sentence, retryAfterSeconds: Math.max(1, Math.ceil(given)) };
}
