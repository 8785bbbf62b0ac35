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
export type GraphCode = keyof typeof GRAPH_ERRORS;

/** "Object does not exist": the one subcode that clients look at. */
export const NO_SUCH_OBJECT = 33;

/** A refusal that knows its own place among the errors of the Graph API. */
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

export interface GraphErrorBody {
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
