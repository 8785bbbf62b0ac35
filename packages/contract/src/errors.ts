import { callerErrors } from './errors/callers.ts';
import type { ErrorDefinition } from './errors/error-type.ts';
import { mediaErrors } from './errors/media.ts';
import { networkErrors } from './errors/network.ts';
import { operatorErrors } from './errors/operator.ts';
import { portalErrors } from './errors/portal.ts';
import { requestErrors } from './errors/requests.ts';
import { sendingErrors } from './errors/sending.ts';
import { sessionErrors } from './errors/sessions.ts';
import { webhookErrors } from './errors/webhooks.ts';

/** All errors that callers can see, on every surface, in the order of the documentation. The texts are public interface: integrators match on them. */
export const ERRORS = {
  ...requestErrors,
  ...callerErrors,
  ...sessionErrors,
  ...sendingErrors,
  ...networkErrors,
  ...mediaErrors,
  ...webhookErrors,
  ...operatorErrors,
  ...portalErrors,
};

export type { ErrorDefinition };
export type ErrorCode = keyof typeof ERRORS;

type TextParams<D> = D extends { text: (params: infer P) => string } ? P : unknown;
type RetryParams<D> = D extends { retryAfterSeconds: 'given' } ? { retryAfterSeconds: number } : unknown;
/** Values of an error's sentence; `unknown` when it needs none. */
export type ErrorParams<C extends ErrorCode> = TextParams<(typeof ERRORS)[C]> &
  RetryParams<(typeof ERRORS)[C]>;
/** Arguments after the code: `fault('quota_exhausted')`, `fault('plan_lacks_feature', { plan, feature })`. */
export type ErrorArguments<C extends ErrorCode> =
  unknown extends ErrorParams<C> ? [] : [params: ErrorParams<C>];

/** Header that carries the error's code, on every surface. */
export const ERROR_CODE_HEADER = 'X-Error-Code';

/** Error as answered: `{"error": text}` with this status, its code in a header and, where set, a Retry-After header. */
export type PublicError = {
  readonly code: ErrorCode;
  readonly status: number;
  readonly text: string;
  readonly retryAfterSeconds?: number;
};

export function publicError<C extends ErrorCode>(code: C, ...args: ErrorArguments<C>): PublicError {
  return render(code, args[0] ?? {});
}

/** Returns the error with sample values, for the documentation. */
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
  // Rounded up, so that a caller that waits exactly this long is not refused again.
  return { code, status, text: sentence, retryAfterSeconds: Math.max(1, Math.ceil(given)) };
}
