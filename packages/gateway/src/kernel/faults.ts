import { type ErrorArguments, type ErrorCode, type PublicError, publicError } from '@parley/contract/plain';

/**
 * An error that a caller may see. Its words come from the contract's registry and nowhere else; whatever led to it travels as `cause`
 * into the log, never into the answer. Any other thrown value is a bug and is answered as an internal error.
 */
export class Fault extends Error {
  override readonly name = 'Fault';
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

/** `throw fault('plan_lacks_feature', { plan, feature })` */
export function fault<C extends ErrorCode>(code: C, ...args: ErrorArguments<C>): Fault {
  return new Fault(publicError(code, ...args));
}

/** The same, remembering what led to it. */
export function faultBecause<C extends ErrorCode>(
  cause: unknown,
  code: C,
  ...args: ErrorArguments<C>
): Fault {
  return new Fault(publicError(code, ...args), cause);
}
