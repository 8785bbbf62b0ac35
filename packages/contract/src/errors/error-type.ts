/** One error: what the caller gets, and what the documentation says of it. */
export interface ErrorDefinition {
  readonly status: number;
  /** A function where the sentence carries a value; `sample` then holds values for the documentation. */
  readonly text: string | TextMaker;
  /** Fills the Retry-After header: a number where it is fixed, `given` where the code that raises the error knows it. */
  readonly retryAfterSeconds?: number | 'given';
  readonly sample?: object;
  /** Why it is answered, and what to do about it. */
  readonly advice: string;
}

/** Declared as a method, whose parameters are bivariant, so that each entry can require its own values. */
type TextMaker = { make(params: object): string }['make'];
