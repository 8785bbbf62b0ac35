import type { ParleyError } from './errors.ts';

export interface Attempt {
  /** Attempts before the failed one. */
  readonly number: number;
  /** Whether the request is idempotent. */
  readonly repeatable: boolean;
  readonly random: () => number;
  /** A longer wait is refused. */
  readonly longestMs: number;
}

const FIRST_DELAY_MS = 250;
/** Spreads callers that got the same `Retry-After`. */
const SPREAD_MS = 250;

/** Milliseconds until the next attempt; undefined when there must be none. */
export function retryDelay(error: ParleyError, attempt: Attempt): number | undefined {
  if (!mayRepeat(error, attempt)) return undefined;
  const delay =
    error.retryAfter === undefined
      ? FIRST_DELAY_MS * 2 ** attempt.number * (0.5 + attempt.random() / 2)
      : error.retryAfter * 1_000 + attempt.random() * SPREAD_MS;
  return delay > attempt.longestMs ? undefined : delay;
}

function mayRepeat({ status, code, retryAfter }: ParleyError, { repeatable }: Attempt): boolean {
  // Refused before any processing. Without `Retry-After` it is a quota, which waiting does not refill.
  if (status === 429) return retryAfter !== undefined;
  if (code === 'shutting_down') return true;
  // Unknown to the gateway, also on the next attempt.
  if (status === 501) return false;
  // Any other request may have been processed although its answer was lost.
  return repeatable && (status === 0 || status >= 500);
}
