import {
  ACCOUNT_SEND_BURST,
  ACCOUNT_SENDS_PER_SECOND,
  COOLDOWN_CONSECUTIVE_SENDS,
  COOLDOWN_PAUSE_SECONDS,
  COOLDOWN_RESET_GAP_SECONDS,
  SESSION_SEND_BURST,
  SESSION_SENDS_PER_SECOND,
} from '@parley/contract/plain';
import { perSecond, type RateLimit, type RateVerdict, takeOne } from '#kernel';

/** Use of a number. Epoch milliseconds; all zero for one that has never sent. */
export interface NumberUse extends PlanUse {
  readonly sessionFullAt: number;
  readonly pausedUntil: number;
}

/** Use of an account. */
export interface AccountUse {
  readonly fullAt: number;
}

/** Allowance of the number's plan or negotiated terms. */
export interface Allowance {
  readonly sendsPerMinute: number;
}

/** The tightest limit, as in the rate headers. The period's quota is no rate: only the portal shows it. */
export interface RateNotice {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

export type LimitVerdict =
  | {
      readonly admitted: true;
      readonly number: NumberUse;
      readonly account: AccountUse;
    }
  | {
      readonly admitted: false;
      readonly code: LimitCode;
      readonly retryAfterMs: number;
    };

export type LimitCode = 'cooldown' | 'session_rate_exceeded' | 'account_rate_exceeded';

const SESSION_RATE = perSecond(SESSION_SENDS_PER_SECOND, SESSION_SEND_BURST);
const ACCOUNT_RATE = perSecond(ACCOUNT_SENDS_PER_SECOND, ACCOUNT_SEND_BURST);
const RESET_GAP_MS = COOLDOWN_RESET_GAP_SECONDS * 1_000;
const PAUSE_MS = COOLDOWN_PAUSE_SECONDS * 1_000;
const CLOCKS_DIFFER_MS = 60_000;

/** Decides whether one more message may go. Pure: the caller stores the new state, or nothing after a refusal. */
export function judge(
  number: NumberUse,
  account: AccountUse,
  allowance: Allowance,
  asked: number,
): LimitVerdict {
  const now = inOrder(number, asked);
  const { plan, session, whole } = takeFromEach(number, account, allowance, now);
  const pauseMs = pauseLeft(number, now);
  if (pauseMs > 0) return { admitted: false, code: 'cooldown', retryAfterMs: pauseMs };
  if (!plan.allowed || !session.allowed || !whole.allowed) {
    // The wait covers all limits: after it neither the other limit nor the end of the plan's first minute refuses.
    const waitMs = Math.max(session.retryAfterMs, whole.retryAfterMs);
    const retryAfterMs = waitMs + askPlan(number, allowance.sendsPerMinute, now + waitMs).retryAfterMs;
    const isNumbers = !plan.allowed || !session.allowed;
    const code = isNumbers ? 'session_rate_exceeded' : 'account_rate_exceeded';
    return { admitted: false, code, retryAfterMs };
  }

  const { planFullAt, runLength, runSince, lastSentAt } = plan.after;
  const runIsOver = runLength >= COOLDOWN_CONSECUTIVE_SENDS;
  return {
    admitted: true,
    number: {
      planFullAt,
      sessionFullAt: session.fullAt,
      runLength: runIsOver ? 0 : runLength,
      runSince,
      lastSentAt,
      pausedUntil: runIsOver ? now + PAUSE_MS : 0,
    },
    account: { fullAt: whole.fullAt },
  };
}

/** Remaining rate, by the limit that leaves least; of equal ones, by the one that takes longer to recover. */
export function rateNotice(
  number: NumberUse,
  account: AccountUse,
  allowance: Allowance,
  asked: number,
): RateNotice {
  const now = inOrder(number, asked);
  const { plan, session, whole } = takeFromEach(number, account, allowance, now);
  return [
    runNotice(number, now),
    planNotice(allowance, plan),
    bucketNotice(SESSION_RATE, session),
    bucketNotice(ACCOUNT_RATE, whole),
  ].reduce((tightest, each) => (isTighter(each, tightest) ? each : tightest));
}

function bucketNotice({ burst, intervalMs }: RateLimit, { allowed, ...verdict }: RateVerdict): RateNotice {
  // The verdict has counted one that was not taken.
  const remaining = allowed ? verdict.remaining + 1 : 0;
  const resetMs = allowed ? verdict.resetAfterMs - intervalMs : verdict.resetAfterMs;
  return { limit: burst, remaining, resetSeconds: wholeSeconds(resetMs) };
}

function planNotice({ sendsPerMinute }: Allowance, { remaining, resetAfterMs }: PlanVerdict): RateNotice {
  return { limit: sendsPerMinute, remaining, resetSeconds: wholeSeconds(resetAfterMs) };
}

/** Number of messages in a row until now; 0 after a gap. */
export function runLengthAt(number: NumberUse, now: number): number {
  return runGoesOn(number, now) ? number.runLength : 0;
}

function runNotice(number: NumberUse, now: number): RateNotice {
  const limit = COOLDOWN_CONSECUTIVE_SENDS;
  const pauseMs = pauseLeft(number, now);
  if (pauseMs > 0) return { limit, remaining: 0, resetSeconds: wholeSeconds(pauseMs) };
  const runLength = runLengthAt(number, now);
  const resetMs = runLength === 0 ? 0 : number.lastSentAt + RESET_GAP_MS - now;
  return { limit, remaining: limit - runLength, resetSeconds: wholeSeconds(resetMs) };
}

function isTighter(a: RateNotice, b: RateNotice): boolean {
  return a.remaining === b.remaining ? a.resetSeconds > b.resetSeconds : a.remaining < b.remaining;
}

function wholeSeconds(ms: number): number {
  // Half a microsecond of tolerance, as in the arithmetic itself.
  return Math.max(Math.ceil((ms - 0.0005) / 1_000), 0);
}

function takeFromEach(number: NumberUse, account: AccountUse, { sendsPerMinute }: Allowance, now: number) {
  return {
    plan: askPlan(number, sendsPerMinute, now),
    session: take(SESSION_RATE, number.sessionFullAt, now),
    whole: take(ACCOUNT_RATE, account.fullAt, now),
  };
}

function take(rate: RateLimit, fullAt: number, now: number): RateVerdict {
  return takeOne(rate, believable(fullAt, rate.intervalMs * rate.burst, now), now);
}

function pauseLeft({ pausedUntil }: NumberUse, now: number): number {
  return Math.max(believable(pausedUntil, PAUSE_MS, now) - now, 0);
}

/**
 * Messages of one number are decided in the order in which they reach the database, which may differ from the
 * timestamps of several processes: none counts as earlier than the one before it. Otherwise the last of a burst would
 * be refused for a millisecond.
 */
function inOrder({ lastSentAt }: NumberUse, now: number): number {
  return Math.max(believable(lastSentAt, 0, now), now);
}

/**
 * A time further ahead than a limit can reach was written before the clock was set back; no sender waits until the
 * clock gets there again. Clocks of cooperating machines differ by much less than the tolerance.
 */
function believable(time: number, reachMs: number, now: number): number {
  return time > now + reachMs + CLOCKS_DIFFER_MS ? 0 : time;
}

export const UNUSED_PLAN: PlanUse = { planFullAt: 0, runLength: 0, runSince: 0, lastSentAt: 0 };
export const UNUSED_NUMBER: NumberUse = {
  ...UNUSED_PLAN,
  sessionFullAt: 0,
  pausedUntil: 0,
};

export const UNUSED_ACCOUNT: AccountUse = { fullAt: 0 };

/** Use of a plan's rate by a number. Epoch milliseconds; all zero for one that has never sent. */
export interface PlanUse {
  /** When all messages would have left at the even pace of the plan. */
  readonly planFullAt: number;
  /** Messages without a gap of a minute between them. */
  readonly runLength: number;
  /** When the first of them was sent. */
  readonly runSince: number;
  readonly lastSentAt: number;
}

interface PlanVerdict {
  readonly allowed: boolean;
  /** The use after this message is sent. */
  readonly after: PlanUse;
  /** How many may go now, this one included. */
  readonly remaining: number;
  /** 0 when allowed, else the wait until one is. */
  readonly retryAfterMs: number;
  /** How long the number must be quiet until the whole allowance is back. */
  readonly resetAfterMs: number;
}

const MINUTE_MS = 60_000;
/**
 * Clocks have whole milliseconds, so the millisecond in which a message is due suffices. Slightly less, because 60000
 * / 7 is not exact in binary.
 */
const DUE_WITHIN_MS = 1 - 0.0005;

/**
 * After a quiet minute a number gets its allowance N within the first minute and no more; from then on one message
 * per 60/N seconds, until it has been quiet for a minute again. No 60 seconds ever hold more than N: `planFullAt`
 * puts one interval behind each message, never before the message itself, so the message after the next N - 1 comes
 * at least N intervals, a minute, after this one. After the first N no message goes before its place.
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

/** A last message in the future was dated by a clock that was set back since; it delays no later one. */
function runGoesOn({ lastSentAt }: Pick<PlanUse, 'lastSentAt'>, now: number): boolean {
  return lastSentAt <= now && now - lastSentAt < MINUTE_MS;
}
