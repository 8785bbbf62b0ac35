export type EgressErrorCode =
  /** Not an http or https URL, or one with credentials or a port that no web server uses. */
  | 'bad_url'
  /** The name resolves to an address that is not on the public internet. */
  | 'forbidden_address'
  | 'unresolvable'
  | 'unreachable'
  | 'untrusted_certificate'
  | 'timeout'
  | 'cancelled'
  /** The response broke off, or was not HTTP. */
  | 'broken_answer'
  /** The proxy could not be reached, or refused the connection. */
  | 'proxy'
  // Downloads only.
  | 'redirected'
  | 'refused'
  | 'too_large';

/** The same text for both: it must not reveal which names exist on the internal network. */
const NOWHERE = 'the url does not lead to a host on the public internet';

const WORDS: Record<EgressErrorCode, string> = {
  bad_url: 'the url cannot be used',
  forbidden_address: NOWHERE,
  unresolvable: NOWHERE,
  unreachable: 'the host could not be reached',
  untrusted_certificate: 'the certificate of the host is not trusted',
  timeout: 'there was no complete answer in time',
  cancelled: 'the request was cancelled',
  broken_answer: 'the answer was broken off or is not HTTP',
  proxy: 'the proxy does not let the connection through',
  redirected: 'the url redirects elsewhere',
  refused: 'the host refused the request',
  too_large: 'the file is too large',
};

/** Why an outgoing request failed. Its text may be shown: it contains no address and no library text. */
export class EgressError extends Error {
  override readonly name = 'EgressError';
  /** More detailed than what may be shown. */
  readonly code: EgressErrorCode;

  constructor(code: EgressErrorCode, options: { detail?: string; cause?: unknown } = {}) {
    super(options.detail === undefined ? WORDS[code] : `${WORDS[code]}: ${options.detail}`, {
      cause: options.cause,
    });
    this.code = code;
  }

  /** There was no host to connect to. The time it took must not be revealed either. */
  get leadsNowhere(): boolean {
    return WORDS[this.code] === NOWHERE;
  }
}

/** Classifies an error of the client or the operating system. */
export function egressError(error: unknown): EgressError {
  for (const each of causesOf(error)) {
    if (each instanceof EgressError) return each;
    const code = codeOf(each);
    if (code !== undefined) return new EgressError(code, { cause: error });
  }
  return new EgressError('broken_answer', { cause: error });
}

/** A failed connection to several addresses carries one error for each; a wrapped error carries the inner one. */
function* causesOf(error: unknown): Generator<Error> {
  if (!(error instanceof Error)) return;
  if (error instanceof AggregateError) for (const each of error.errors) yield* causesOf(each);
  yield error;
  yield* causesOf(error.cause);
}

function codeOf(error: Error): EgressErrorCode | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (/^(ENOTFOUND|EAI_\w+|EDNS\w*)$/.test(code)) return 'unresolvable';
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENETDOWN|EACCES)$/.test(code))
    return 'unreachable';
  if (/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT)$/.test(code))
    return 'timeout';
  if (/CERT|^ERR_TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return 'untrusted_certificate';
  if (error.name === 'AbortError' || code === 'UND_ERR_ABORTED') return 'cancelled';
  return undefined;
}
