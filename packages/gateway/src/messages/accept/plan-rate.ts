/** What a number has used of its plan's rate. Epoch milliseconds; all zero for one that has never sent. */
export interface PlanUse {
  /** When all that was sent would have gone at the even pace of the plan. */
  readonly planFullAt: number;
  /** Messages without a gap of a minute between them. */
  readonly runLength: number;
  /** When the first of them was sent. */
  readonly runSince: number;
  readonly lastSentAt: number;
}

export interface PlanVerdict {
  readonly allowed: boolean;
  /** What is used once this one is sent. */
  readonly after: PlanUse;
  /** How many could go right now, this one included. */
  readonly remaining: number;
  /** 0 when allowed, else how long until one is. */
  readonly retryAfterMs: number;
  /** How long the number must be quiet until the whole value is there again. */
  readonly resetAfterMs: number;
}

export const UNUSED_PLAN: PlanUse = { planFullAt: 0, runLength: 0, runSince: 0, lastSentAt: 0 };

const MINUTE_MS = 60_000;
/** Clocks tell whole milliseconds: the one that a message is due in will do. Less a trifle, because 60000 / 7 is not exact in binary. */
const DUE_WITHIN_MS = 1 - 0.0005;

/**
 * A number that was quiet for a minute gets its value N within the first minute and no more; from then on one per 60/N seconds, until it
 * has been quiet for a minute again.
 *
 * No 60 seconds ever hold more than N. `planFullAt` puts one interval behind each message, and never before the message itself: so the
 * message after the next N - 1 is put at least N intervals, a minute, behind this one. After the first N nothing goes before its place.
 */
export function askPlan(use: PlanUse, perMinute: number, now: number): PlanVerdict {
  const intervalMs = MINUTE_MS / perMinute;
  const isQuiet = !runGoesOn(use, now);
  const runSince = isQuiet ? now : use.runSince;
  const runLength = isQuiet ? 0 : use.runLength;
  const waitMs = isQuiet ? 0 : Math.max(use.planFullAt - now, 0);
  const isItsTurn = waitMs < DUE_WITHIN_MS;
  const leftOfFirst = now - runSince < MINUTE_MS ? Math.max(perMinute - runLength, 0) : 0;
  const allowed = isItsTurn || leftOfFirst > 0;
  return {
    allowed,
    after: {
      planFullAt: now + waitMs + intervalMs,
      runLength: runLength + 1,
      runSince,
      lastSentAt: now,
    },
    remaining: Math.max(leftOfFirst, isItsTurn ? 1 : 0),
    retryAfterMs: allowed ? 0 : waitMs,
    resetAfterMs: isQuiet ? 0 : use.lastSentAt + MINUTE_MS - now,
  };
}

/** A last one in the future was dated by a clock that has been set back since: nobody has to wait for that. */
export function runGoesOn({ lastSentAt }: Pick<PlanUse, 'lastSentAt'>, now: number): boolean {
  return lastSentAt <= now && now - lastSentAt < MINUTE_MS;
}
