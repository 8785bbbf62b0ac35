import type { ErrorCode, FailureReason } from '@parley/contract';
import { GRAPH_ERRORS, type GraphCode, GraphError, NO_SUCH_OBJECT } from './graph-error.ts';

/** Where the Graph API has a word of its own for one of our errors; the others are told by their status. */
const CODES: Partial<Record<ErrorCode, GraphCode>> = {
  account_suspended: 131031,
  tos_not_accepted: 368,
  not_found: 2500,
  method_not_allowed: 2500,
  plan_lacks_feature: 131005,
  network_forbids: 131005,
  session_not_found: 133010,
  session_not_hosted: 133010,
  device_not_active: 133010,
  session_rate_exceeded: 130429,
  account_rate_exceeded: 130429,
  cooldown: 131048,
  held_back: 131048,
  quota_exhausted: 80007,
  username_not_found: 131026,
  username_key_required: 131026,
  username_key_wrong: 131026,
  contact_not_found: 131026,
  group_not_found: 131026,
  blocklist_in_lid_mode: 139100,
  media_unavailable: 131053,
  media_too_large: 131053,
  media_of_another_type: 131053,
  media_empty: 131053,
  media_type_invalid: 131053,
  media_storage_exhausted: 131053,
  upload_too_large: 131053,
  upload_incomplete: 131053,
  upload_form_invalid: 131053,
  media_offline: 131016,
  media_gone: 131052,
  media_beyond_limit: 131052,
  internal_error: 131000,
};

const CODE_OF_STATUS: Readonly<Record<number, GraphCode>> = {
  401: 190,
  403: 10,
  429: 130429,
  500: 131000,
  502: 131016,
  503: 131016,
};

const MISSING: ReadonlySet<ErrorCode> = new Set([
  'session_not_owned',
  'device_not_found',
  'media_not_found',
  'message_not_found',
]);

interface Refused {
  readonly code: ErrorCode;
  readonly status: number;
  readonly message: string;
}

/** One of our refusals in the words of the Graph API: its code, and our sentence as the details. */
export function graphErrorOf({ code, status, message }: Refused): GraphError {
  if (MISSING.has(code)) return new GraphError(100, message, NO_SUCH_OBJECT);
  return new GraphError(CODES[code] ?? CODE_OF_STATUS[status] ?? 100, message);
}

const CODE_OF_REASON: Readonly<Record<FailureReason, GraphCode>> = {
  INVALID_RECIPIENT: 131026,
  MEDIA_FAILED: 131053,
  SEND_FAILED: 131000,
  RETRIES_EXHAUSTED: 131016,
};

/** Why a message was not sent, as a status tells it. */
export interface StatusError {
  readonly code: number;
  readonly title: string;
  readonly message: string;
  readonly error_data: { readonly details: string };
}

export function statusErrorOf(reason: FailureReason | undefined, detail: string | undefined): StatusError {
  const code = CODE_OF_REASON[reason ?? 'SEND_FAILED'];
  const { title } = GRAPH_ERRORS[code];
  return { code, title, message: title, error_data: { details: detail ?? title } };
}
