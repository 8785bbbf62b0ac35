import { type ErrorArguments, type ErrorCode, type PublicError, publicError } from '@parley/contract/plain';

/**
 * An error that a caller may see. Its text comes only from the contract's registry; its `cause` goes to the log, never into the
 * response. Any other thrown value is a bug and is answered as an internal error.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(error: PublicError, cause?: unknown) {
    super(error.text, { cause });
    this.code = error.code;
    this.status = error.status;
    this.retryAfterSeconds = error.retryAfterSeconds;
  }
}

/** `throw apiError('plan_lacks_feature', { plan, feature })` */
export function apiError<C extends ErrorCode>(code: C, ...args: ErrorArguments<C>): ApiError {
  return new ApiError(publicError(code, ...args));
}

/** The same, with its cause. */
export function apiErrorFrom<C extends ErrorCode>(
  cause: unknown,
  code: C,
  ...args: ErrorArguments<C>
): ApiError {
  return new ApiError(publicError(code, ...args), cause);
}
