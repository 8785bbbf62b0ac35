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
function createDesk(allowance: Allowance) {
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

/** Sends at a pace that no rate minds. */
function sendSlowly(desk: ReturnType<typeof createDesk>, count: number): void {
  for (let sent = 0; sent < count; sent++) {
    if (sent > 0) desk.wait(SECOND);
    expect(desk.send().admitted).toBe(true);
  }
}

describe('the limits of a number', () => {
  it('let five go at once, then one each second', () => {
    const desk = createDesk(PLENTY);
    for (let sent = 0; sent < 5; sent++) expect(desk.send().admitted).toBe(true);
    expect(desk.send()).toEqual({ admitted: false, code: 'session_rate_exceeded', retryAfterMs: SECOND });
    desk.wait(SECOND);
    expect(desk.send().admitted).toBe(true);
    expect(desk.send().admitted).toBe(false);
  });

  it('let a burst go whose messages were dated by clocks that differ, and not one more', () => {
    const desk = createDesk(PLENTY);
    for (const behind of [0, 40, 3, 900, 0]) {
      desk.wait(-behind);
      expect(desk.send().admitted).toBe(true);
      desk.wait(behind);
    }
    desk.wait(-500);
    expect(desk.send()).toEqual({ admitted: false, code: 'session_rate_exceeded', retryAfterMs: SECOND });
    expect(desk.notice().remaining).toBe(0);
  });

  it('let the plan’s sends of a minute go in the first minute, then pace them', () => {
    const desk = createDesk({ sendsPerMinute: 10 });
    sendSlowly(desk, 10);
    expect(desk.send()).toEqual({
      admitted: false,
      code: 'session_rate_exceeded',
      retryAfterMs: 51 * SECOND,
    });
    desk.wait(51 * SECOND);
    expect(desk.send().admitted).toBe(true);
    expect(desk.send()).toMatchObject({ admitted: false, retryAfterMs: 6 * SECOND });
    desk.wait(MINUTE);
    sendSlowly(desk, 10);
    expect(desk.send()).toMatchObject({ admitted: false, retryAfterMs: 51 * SECOND });
  });

  it('pause it for five minutes after a hundred without a gap', () => {
    const desk = createDesk(PLENTY);
    sendSlowly(desk, 100);
    expect(desk.send()).toEqual({ admitted: false, code: 'cooldown', retryAfterMs: 5 * MINUTE });
    desk.wait(5 * MINUTE - 1);
    expect(desk.send()).toEqual({ admitted: false, code: 'cooldown', retryAfterMs: 1 });
    desk.wait(1);
    sendSlowly(desk, 100);
    expect(desk.send()).toMatchObject({ code: 'cooldown' });
  });

  it('begin to count anew after a gap of a minute, and not a moment earlier', () => {
    const desk = createDesk(PLENTY);
    sendSlowly(desk, 99);
    desk.wait(MINUTE - 1);
    expect(desk.send().admitted).toBe(true);
    expect(desk.send()).toMatchObject({ code: 'cooldown' });

    const patient = createDesk(PLENTY);
    sendSlowly(patient, 99);
    patient.wait(MINUTE);
    sendSlowly(patient, 100);
    expect(patient.send()).toMatchObject({ code: 'cooldown' });
  });

  it('name the wait after which none of them says no, although only one of them is named', () => {
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
  it('by hours does not keep anybody waiting for as long', () => {
    const desk = createDesk({ sendsPerMinute: 10 });
    sendSlowly(desk, 10);
    desk.wait(-60 * MINUTE);
    expect(desk.notice()).toEqual({ limit: 5, remaining: 5, resetSeconds: 0 });
    sendSlowly(desk, 10);

    const busy = createDesk(PLENTY);
    sendSlowly(busy, 100);
    busy.wait(-60 * MINUTE);
    expect(busy.send().admitted).toBe(true);
  });

  it('by seconds, as between two machines, does not give anything away', () => {
    const desk = createDesk({ sendsPerMinute: 10 });
    sendSlowly(desk, 10);
    desk.wait(-30 * SECOND);
    expect(desk.send()).toMatchObject({ admitted: false, code: 'session_rate_exceeded' });

    const busy = createDesk(PLENTY);
    sendSlowly(busy, 100);
    busy.wait(-30 * SECOND);
    expect(busy.send()).toEqual({ admitted: false, code: 'cooldown', retryAfterMs: 5 * MINUTE });
  });
});

describe('the rate notice', () => {
  it('tells of the session’s burst while nothing is spent', () => {
    expect(createDesk(PLENTY).notice()).toEqual({ limit: 5, remaining: 5, resetSeconds: 0 });
  });

  it('tells of the limit that leaves least', () => {
    const desk = createDesk({ sendsPerMinute: 10 });
    desk.send();
    expect(desk.notice()).toEqual({ limit: 5, remaining: 4, resetSeconds: 1 });
    desk.wait(SECOND);
    sendSlowly(desk, 8);
    expect(desk.notice()).toEqual({ limit: 10, remaining: 1, resetSeconds: 60 });
  });

  it('tells of the account’s burst when that leaves least', () => {
    const account: AccountUse = { fullAt: START + 1_950 };
    expect(rateNotice(UNUSED_NUMBER, account, PLENTY, START)).toEqual({
      limit: 40,
      remaining: 1,
      resetSeconds: 2,
    });
  });

  it('tells of the run that is coming to its end, and of the pause', () => {
    const desk = createDesk(PLENTY);
    sendSlowly(desk, 99);
    desk.wait(10);
    expect(desk.notice()).toEqual({ limit: 100, remaining: 1, resetSeconds: 60 });
    desk.wait(SECOND);
    desk.send();
    expect(desk.notice()).toEqual({ limit: 100, remaining: 0, resetSeconds: 300 });
    desk.wait(5 * MINUTE);
    expect(desk.notice()).toEqual({ limit: 5, remaining: 5, resetSeconds: 0 });
  });

  it('is told by the longer wait when two limits leave as much', () => {
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
