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
import { askPlan, type PlanUse, type PlanVerdict, runGoesOn, UNUSED_PLAN } from './plan-rate.ts';

/** What a number has used up. Epoch milliseconds; all zero for one that has never sent. */
export interface NumberUse extends PlanUse {
  readonly sessionFullAt: number;
  readonly pausedUntil: number;
}

/** What an account has used up. */
export interface AccountUse {
  readonly fullAt: number;
}

/** What the number's plan or its negotiated terms allow. */
export interface Allowance {
  readonly sendsPerMinute: number;
}

/** The tightest limit, as the rate headers tell it. The period's quota is no rate: only the portal shows it. */
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

/** May one more message go? Pure: whoever keeps the state writes the new one down, or nothing at all when it was refused. */
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
    // Whoever waits that long is not turned away by the next limit, nor because the first minute of the plan is over by then.
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

/** How much is left, by the limit that leaves least; of two that leave as much, by the one that takes longer to recover. */
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

/** How many were sent in a row until now; a row that a gap has ended is none any more. */
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
 * Messages of one number are judged in the order in which they reach the database, which need not be the one in which several processes
 * have dated them: none counts as earlier than the one before it. Otherwise the last of a burst would be turned away for a millisecond.
 */
function inOrder({ lastSentAt }: NumberUse, now: number): number {
  return Math.max(believable(lastSentAt, 0, now), now);
}

/**
 * A time further ahead than a limit can ever reach was written before the clock was set back; nobody should have to wait until the
 * clock gets there again. Clocks of machines that work together differ by much less than the tolerance.
 */
function believable(time: number, reachMs: number, now: number): number {
  return time > now + reachMs + CLOCKS_DIFFER_MS ? 0 : time;
}

export const UNUSED_NUMBER: NumberUse = {
  ...UNUSED_PLAN,
  sessionFullAt: 0,
  pausedUntil: 0,
};

export const UNUSED_ACCOUNT: AccountUse = { fullAt: 0 };
