/** Why a request did not succeed, in words for the person at the screen. */
export class Problem extends Error {
  override readonly name = 'Problem';
  /** Of the answer; 0 when there was none. */
  readonly status: number;
  /** How long to wait, where the gateway says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, text: string, retryAfterSeconds?: number) {
    super(text);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Everything that was thrown, as a problem that can be shown. */
export function asProblem(thrown: unknown): Problem {
  return thrown instanceof Problem
    ? thrown
    : new Problem(0, 'something went wrong on this page; load it again');
}
