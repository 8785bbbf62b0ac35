import type { ErrorCode, FailureReason } from '@parley/contract';

/** Errors of the Graph API that this surface answers with or reports, as its documentation names them. */
export const GRAPH_ERRORS = {
  10: { title: 'Permission denied', status: 403 },
  100: { title: 'Invalid parameter', status: 400 },
  190: { title: 'Invalid OAuth access token', status: 401 },
  368: { title: 'Temporarily blocked for policies violations', status: 403 },
  2200: { title: 'Callback verification failed', status: 400 },
  2500: { title: 'Unknown path components', status: 400 },
  80007: { title: 'Rate limit issues', status: 429 },
  130429: { title: 'Rate limit hit', status: 429 },
  131000: { title: 'Something went wrong', status: 500 },
  131005: { title: 'Access denied', status: 403 },
  131009: { title: 'Parameter value is not valid', status: 400 },
  131016: { title: 'Service unavailable', status: 503 },
  131026: { title: 'Message undeliverable', status: 400 },
  131031: { title: 'Business Account locked', status: 403 },
  131048: { title: 'Spam rate limit hit', status: 429 },
  131051: { title: 'Unsupported message type', status: 400 },
  131052: { title: 'Media download error', status: 400 },
  131053: { title: 'Media upload error', status: 400 },
  132000: { title: 'Template Param Count Mismatch', status: 400 },
  132001: { title: 'Template does not exist', status: 404 },
  132012: { title: 'Template parameter format mismatch', status: 400 },
  133010: { title: 'Phone number not registered', status: 400 },
  139100: { title: 'Failed to block or unblock users', status: 400 },
} as const satisfies Record<number, { title: string; status: number }>;
type GraphCode = keyof typeof GRAPH_ERRORS;

/** "Object does not exist": the only subcode that clients check. */
const NO_SUCH_OBJECT = 33;

/** An error with a Graph API code of its own. */
export class GraphError extends Error {
  readonly code: GraphCode;
  readonly subcode: number | undefined;

  constructor(code: GraphCode, details: string, subcode?: number) {
    super(details);
    this.code = code;
    this.subcode = subcode;
  }
}

export function invalid(details: string): GraphError {
  return new GraphError(100, details);
}

export function noSuchObject(id: string): GraphError {
  const text = `Object with ID '${id}' does not exist, or cannot be loaded due to missing permissions`;
  return new GraphError(100, text, NO_SUCH_OBJECT);
}

interface GraphErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: 'OAuthException';
    readonly code: number;
    readonly error_subcode?: number;
    readonly error_data: { readonly messaging_product: 'whatsapp'; readonly details: string };
    readonly fbtrace_id: string;
  };
}

export function errorBody(
  { code, message, subcode }: Pick<GraphError, 'code' | 'message' | 'subcode'>,
  trace: string,
): GraphErrorBody {
  return {
    error: {
      message: `(#${code}) ${GRAPH_ERRORS[code].title}: ${message}`,
      type: 'OAuthException',
      code,
      ...(subcode !== undefined && { error_subcode: subcode }),
      error_data: { messaging_product: 'whatsapp', details: message },
      fbtrace_id: trace,
    },
  };
}

/** Errors for which the Graph API has a code of its own; the others are mapped by their status. */
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

/** Converts one of our errors to the Graph API's format: its code, with our sentence as the details. */
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

/** Error of a failed message, as a status reports it. */
interface StatusError {
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
