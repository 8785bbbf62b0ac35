import { words } from '../texts/common.ts';

/** Failure of a request, in words for the person at the screen. */
export class Problem extends Error {
  override readonly name = 'Problem';
  /** Status of the answer; 0 without an answer. */
  readonly status: number;
  /** From `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** Field at fault, where the text does not begin with its name. */
  readonly field: string | undefined;

  constructor(status: number, text: string, retryAfterSeconds?: number, field?: string) {
    super(text);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
    this.field = field;
  }
}

/** Converts any thrown value to a problem that can be shown. */
export function asProblem(thrown: unknown): Problem {
  return thrown instanceof Problem ? thrown : new Problem(0, words.brokenAction);
}

/** For `catch`: ignores refusals and an unreachable gateway; throws every other error. */
export function unlessProblem(thrown: unknown): undefined {
  if (!(thrown instanceof Problem)) throw thrown;
}

/** For `catch`: ignores an incomplete answer and one that is not JSON; throws every other error. */
export function unlessUnanswered(thrown: unknown): undefined {
  if (![TypeError, DOMException, SyntaxError].some((expected) => thrown instanceof expected)) throw thrown;
}
