/**
 * GCRA, the generic cell rate algorithm: a token bucket whose whole state is one number, the time at which the bucket would be full
 * again (`fullAt`). Pure arithmetic in milliseconds; the limit lasts as long as the caller stores the number.
 */
export interface RateLimit {
  /** Milliseconds after which one more is allowed. */
  readonly intervalMs: number;
  /** How many may go at once after a pause. */
  readonly burst: number;
}

export interface RateVerdict {
  readonly allowed: boolean;
  /** The state to store. Unchanged on refusal: a refusal consumes nothing. */
  readonly fullAt: number;
  /** How many more are allowed right now. */
  readonly remaining: number;
  /** 0 when allowed, otherwise the time until one is. */
  readonly retryAfterMs: number;
  /** Time until the whole burst is available again. */
  readonly resetAfterMs: number;
}

export function perSecond(count: number, burst: number): RateLimit {
  return { intervalMs: 1_000 / count, burst };
}

export function perMinute(count: number): RateLimit {
  return { intervalMs: 60_000 / count, burst: count };
}

/** Takes one token at `nowMs`. `fullAt` is the result of the last allowed call, or 0. */
export function takeOne(limit: RateLimit, fullAt: number, nowMs: number): RateVerdict {
  const capacityMs = limit.intervalMs * limit.burst;
  const before = Math.max(fullAt, nowMs);
  const after = before + limit.intervalMs;
  const excessMs = after - nowMs - capacityMs;
  // Half a microsecond of tolerance: intervals such as 60000 / 7 are not exact in binary.
  if (excessMs > 0.0005) {
    return { allowed: false, fullAt, remaining: 0, retryAfterMs: excessMs, resetAfterMs: before - nowMs };
  }
  return {
    allowed: true,
    fullAt: after,
    remaining: Math.max(Math.floor((nowMs + capacityMs - after) / limit.intervalMs + 1e-6), 0),
    retryAfterMs: 0,
    resetAfterMs: after - nowMs,
  };
}
