import { words } from '../texts/common.ts';

/** Why a request did not succeed, in words for the person at the screen. */
export class Problem extends Error {
  override readonly name = 'Problem';
  /** Of the answer; 0 when there was none. */
  readonly status: number;
  /** How long to wait, where the gateway says so. */
  readonly retryAfterSeconds: number | undefined;
  /** What it is about, where the text does not begin with that. */
  readonly field: string | undefined;

  constructor(status: number, text: string, retryAfterSeconds?: number, field?: string) {
    super(text);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
    this.field = field;
  }
}

/** Everything that was thrown, as a problem that can be shown. */
export function asProblem(thrown: unknown): Problem {
  return thrown instanceof Problem ? thrown : new Problem(0, words.brokenAction);
}

/** For `catch`: the gateway refused or was not reached, which was expected; every other error is thrown. */
export function unlessProblem(thrown: unknown): undefined {
  if (!(thrown instanceof Problem)) throw thrown;
}

/** For `catch`: no whole answer came, or one that is not JSON, which was expected; every other error is thrown. */
export function unlessUnanswered(thrown: unknown): undefined {
  if (![TypeError, DOMException, SyntaxError].some((expected) => thrown instanceof expected)) throw thrown;
}
