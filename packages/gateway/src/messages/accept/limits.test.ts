import { describe, expect, it } from 'vitest';
import {
  type AccountUse,
  type Allowance,
  judge,
  type LimitVerdict,
  type NumberUse,
  rateNotice,
  UNUSED_ACCOUNT,
  UNUSED_NUMBER,
} from './limits.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const START = Date.UTC(2026, 0, 1);
const PLENTY: Allowance = { sendsPerMinute: 6_000 };

/** One number of one account, and a clock. */
function createLimits(allowance: Allowance) {
  const state = { number: UNUSED_NUMBER, account: UNUSED_ACCOUNT, now: START };
  return {
    state,
    wait: (ms: number) => {
      state.now += ms;
    },
    send(): LimitVerdict {
      const verdict = judge(state.number, state.account, allowance, state.now);
      if (verdict.admitted) {
        state.number = verdict.number;
        state.account = verdict.account;
      }
      return verdict;
    },
    notice: () => rateNotice(state.number, state.account, allowance, state.now),
  };
}

/** Sends at a pace below every rate. */
function sendSlowly(limits: ReturnType<typeof createLimits>, count: number): void {
  for (let sent = 0; sent < count; sent++) {
    if (sent > 0) limits.wait(SECOND);
    expect(limits.send().admitted).toBe(true);
  }
}

describe('the limits of a number', () => {
  it('let five messages go at once, then one each second', () => {
    const limits = createLimits(PLENTY);
    for (let sent = 0; sent < 5; sent++) expect(limits.send().admitted).toBe(true);
    expect(limits.send()).toEqual({ admitted: false, code: 'session_rate_exceeded', retryAfterMs: SECOND });
    limits.wait(SECOND);
    expect(limits.send().admitted).toBe(true);
    expect(limits.send().admitted).toBe(false);
  });

  it('let a burst go that was dated by different clocks, and not one more', () => {
    const limits = createLimits(PLENTY);
    for (const behind of [0, 40, 3, 900, 0]) {
      limits.wait(-behind);
      expect(limits.send().admitted).toBe(true);
      limits.wait(behind);
    }
    limits.wait(-500);
    expect(limits.send()).toEqual({ admitted: false, code: 'session_rate_exceeded', retryAfterMs: SECOND });
    expect(limits.notice().remaining).toBe(0);
  });

  it('let the plan’s sends of a minute go in the first minute, then pace them', () => {
    const limits = createLimits({ sendsPerMinute: 10 });
    sendSlowly(limits, 10);
    expect(limits.send()).toEqual({
      admitted: false,
      code: 'session_rate_exceeded',
      retryAfterMs: 51 * SECOND,
    });
    limits.wait(51 * SECOND);
    expect(limits.send().admitted).toBe(true);
    expect(limits.send()).toMatchObject({ admitted: false, retryAfterMs: 6 * SECOND });
    limits.wait(MINUTE);
    sendSlowly(limits, 10);
    expect(limits.send()).toMatchObject({ admitted: false, retryAfterMs: 51 * SECOND });
  });

  it('pause it for five minutes after a hundred without a gap', () => {
    const limits = createLimits(PLENTY);
    sendSlowly(limits, 100);
    expect(limits.send()).toEqual({ admitted: false, code: 'cooldown', retryAfterMs: 5 * MINUTE });
    limits.wait(5 * MINUTE - 1);
    expect(limits.send()).toEqual({ admitted: false, code: 'cooldown', retryAfterMs: 1 });
    limits.wait(1);
    sendSlowly(limits, 100);
    expect(limits.send()).toMatchObject({ code: 'cooldown' });
  });

  it('restart the count after a gap of a minute, and no earlier', () => {
    const limits = createLimits(PLENTY);
    sendSlowly(limits, 99);
    limits.wait(MINUTE - 1);
    expect(limits.send().admitted).toBe(true);
    expect(limits.send()).toMatchObject({ code: 'cooldown' });

    const patient = createLimits(PLENTY);
    sendSlowly(patient, 99);
    patient.wait(MINUTE);
    sendSlowly(patient, 100);
    expect(patient.send()).toMatchObject({ code: 'cooldown' });
  });

  it('return a wait that covers all limits, although they name only one', () => {
    const busy: AccountUse = { fullAt: START + 5 * SECOND };
    const spent: NumberUse = { ...UNUSED_NUMBER, sessionFullAt: START + 5 * SECOND };
    expect(judge(spent, busy, PLENTY, START)).toEqual({
      admitted: false,
      code: 'session_rate_exceeded',
      retryAfterMs: 3_050,
    });
    expect(judge(spent, busy, PLENTY, START + 3_050).admitted).toBe(true);
  });
});

describe('a clock that is set back', () => {
  it('by hours does not delay sends for as long', () => {
    const limits = createLimits({ sendsPerMinute: 10 });
    sendSlowly(limits, 10);
    limits.wait(-60 * MINUTE);
    expect(limits.notice()).toEqual({ limit: 5, remaining: 5, resetSeconds: 0 });
    sendSlowly(limits, 10);

    const busy = createLimits(PLENTY);
    sendSlowly(busy, 100);
    busy.wait(-60 * MINUTE);
    expect(busy.send().admitted).toBe(true);
  });

  it('by seconds, as between two machines, admits no extra send', () => {
    const limits = createLimits({ sendsPerMinute: 10 });
    sendSlowly(limits, 10);
    limits.wait(-30 * SECOND);
    expect(limits.send()).toMatchObject({ admitted: false, code: 'session_rate_exceeded' });

    const busy = createLimits(PLENTY);
    sendSlowly(busy, 100);
    busy.wait(-30 * SECOND);
    expect(busy.send()).toEqual({ admitted: false, code: 'cooldown', retryAfterMs: 5 * MINUTE });
  });
});

describe('the rate notice', () => {
  it('has the session’s burst while nothing is used', () => {
    expect(createLimits(PLENTY).notice()).toEqual({ limit: 5, remaining: 5, resetSeconds: 0 });
  });

  it('has the limit that leaves least', () => {
    const limits = createLimits({ sendsPerMinute: 10 });
    limits.send();
    expect(limits.notice()).toEqual({ limit: 5, remaining: 4, resetSeconds: 1 });
    limits.wait(SECOND);
    sendSlowly(limits, 8);
    expect(limits.notice()).toEqual({ limit: 10, remaining: 1, resetSeconds: 60 });
  });

  it('has the account’s burst when that leaves least', () => {
    const account: AccountUse = { fullAt: START + 1_950 };
    expect(rateNotice(UNUSED_NUMBER, account, PLENTY, START)).toEqual({
      limit: 40,
      remaining: 1,
      resetSeconds: 2,
    });
  });

  it('has the run that is about to end, and the pause', () => {
    const limits = createLimits(PLENTY);
    sendSlowly(limits, 99);
    limits.wait(10);
    expect(limits.notice()).toEqual({ limit: 100, remaining: 1, resetSeconds: 60 });
    limits.wait(SECOND);
    limits.send();
    expect(limits.notice()).toEqual({ limit: 100, remaining: 0, resetSeconds: 300 });
    limits.wait(5 * MINUTE);
    expect(limits.notice()).toEqual({ limit: 5, remaining: 5, resetSeconds: 0 });
  });

  it('has the longer wait when two limits leave as much', () => {
    const number: NumberUse = {
      ...UNUSED_NUMBER,
      planFullAt: START + MINUTE,
      sessionFullAt: START + 5 * SECOND,
      runLength: 10,
      runSince: START,
      lastSentAt: START,
    };
    expect(rateNotice(number, UNUSED_ACCOUNT, { sendsPerMinute: 10 }, START)).toEqual({
      limit: 10,
      remaining: 0,
      resetSeconds: 60,
    });
  });
});
