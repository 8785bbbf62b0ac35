import { ERROR_CODE_HEADER } from './generated/constants.ts';
import { ERROR_CODES } from './generated/errors.ts';
import { parsedJson } from './json.ts';

/**
 * Code of a failed request: from the gateway's registry, or one of three for other failures. `unreachable`: no connection;
 * `timed_out`: no answer in time; `unknown`: an answer that this version of the SDK does not know.
 */
export type ParleyErrorCode = (typeof ERROR_CODES)[number] | 'unreachable' | 'timed_out' | 'unknown';

export interface ParleyErrorDetails {
  readonly status: number;
  readonly code: ParleyErrorCode;
  readonly retryAfter?: number | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** Failed request. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError';
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  readonly code: ParleyErrorCode;
  /** Seconds to wait before the next attempt, from `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** Id of the request in the gateway's log; absent without an answer. */
  readonly requestId: string | undefined;

  constructor(message: string, { status, code, retryAfter, requestId, cause }: ParleyErrorDetails) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
    this.requestId = requestId;
  }
}

/** Makes the error of an unsuccessful answer. */
export async function errorOf(response: Response): Promise<ParleyError> {
  const { status, headers } = response;
  let body = '';
  let cause: unknown;
  try {
    body = await response.text();
  } catch (error) {
    // The connection broke within the answer; the status is all that is known.
    cause = error;
  }
  const sentence = errorText(body);
  return new ParleyError(sentence ?? `gateway answered ${status} without a sentence`, {
    status,
    code: codeOf(headers),
    retryAfter: seconds(headers.get('retry-after')),
    requestId: headers.get('x-request-id') ?? undefined,
    cause,
  });
}

function codeOf(headers: Headers): ParleyErrorCode {
  const code = headers.get(ERROR_CODE_HEADER);
  return ERROR_CODES.find((known) => known === code) ?? 'unknown';
}

function errorText(body: string): string | undefined {
  // Anything else is the page of a proxy.
  const said = parsedJson(body);
  const error = typeof said === 'object' && said !== null && 'error' in said ? said.error : undefined;
  return typeof error === 'string' ? error : undefined;
}

function seconds(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}
