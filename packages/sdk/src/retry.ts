import type { ParleyError } from './errors.ts';

export interface Attempt {
  /** How many there were before the one that failed. */
  readonly number: number;
  /** Doing it twice has the same effect as doing it once. */
  readonly repeatable: boolean;
  readonly random: () => number;
  /** Whoever has to wait longer than this is told instead. */
  readonly longestMs: number;
}

const FIRST_DELAY_MS = 250;
/** Spreads callers that were all told to come back after the same time. */
const SPREAD_MS = 250;

/** Milliseconds to wait before a request is made once more; undefined when it must not be. */
export function retryDelay(error: ParleyError, attempt: Attempt): number | undefined {
  if (!mayRepeat(error, attempt)) return undefined;
  const delay =
    error.retryAfter === undefined
      ? FIRST_DELAY_MS * 2 ** attempt.number * (0.5 + attempt.random() / 2)
      : error.retryAfter * 1_000 + attempt.random() * SPREAD_MS;
  return delay > attempt.longestMs ? undefined : delay;
}

function mayRepeat({ status, code, retryAfter }: ParleyError, { repeatable }: Attempt): boolean {
  // Turned away at the door, so nothing was done. Without a time to come back it is a quota, which waiting does not fill.
  if (status === 429) return retryAfter !== undefined;
  if (code === 'shutting_down') return true;
  // What a gateway does not know it will not know the next time either.
  if (status === 501) return false;
  // Anything else may have been done although the answer was lost.
  return repeatable && (status === 0 || status >= 500);
}
