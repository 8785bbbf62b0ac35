import { ERROR_SENTENCES } from './generated/errors.ts';

/**
 * Why a request failed: a code of the gateway's own registry, or one of three for failures outside of it. `unreachable`: no connection;
 * `timed_out`: no answer in time; `unknown`: an answer that this version of the SDK does not know.
 */
export type ParleyErrorCode = keyof typeof ERROR_SENTENCES | 'unreachable' | 'timed_out' | 'unknown';

export interface ParleyErrorDetails {
  readonly status: number;
  readonly code: ParleyErrorCode;
  readonly retryAfter?: number | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** A request that did not succeed. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError';
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly code: ParleyErrorCode;
  /** Seconds to wait before the next attempt, where the gateway says so. */
  readonly retryAfter: number | undefined;
  /** The name under which the gateway's log knows the request; absent when there was no answer. */
  readonly requestId: string | undefined;

  constructor(message: string, { status, code, retryAfter, requestId, cause }: ParleyErrorDetails) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
    this.requestId = requestId;
  }
}

/** Of an answer that is not a success. */
export async function errorOf(response: Response): Promise<ParleyError> {
  const { status, headers } = response;
  const sentence = errorText(await response.text().catch(nothingMore));
  return new ParleyError(sentence ?? `gateway answered ${status} without a word of its own`, {
    status,
    code: sentence === undefined ? 'unknown' : codeOf(status, sentence),
    retryAfter: seconds(headers.get('retry-after')),
    // Gateways before 0.2 say it in the sentence of an internal error only.
    requestId: headers.get('x-request-id') ?? /\(request (\S+)\)/.exec(sentence ?? '')?.[1],
  });
}

/** The connection broke off within the answer: its status says what there is to say. */
function nothingMore(): string {
  return '';
}

/** The gateway answers with sentences; each belongs to one code. */
export function codeOf(status: number, sentence: string): ParleyErrorCode {
  const found = PATTERNS.find((known) => known.status === status && known.pattern.test(sentence));
  return found?.code ?? 'unknown';
}

const PATTERNS = (Object.keys(ERROR_SENTENCES) as (keyof typeof ERROR_SENTENCES)[]).map((code) => {
  const [status, sentence] = ERROR_SENTENCES[code];
  const source = sentence.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.+');
  return { code, status, pattern: new RegExp(`^${source}$`) };
});

function errorText(body: string): string | undefined {
  try {
    const { error } = JSON.parse(body);
    return typeof error === 'string' ? error : undefined;
  } catch {
    // A page of some proxy on the way.
    return undefined;
  }
}

function seconds(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}
