import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { adjustOffset, followGatewayClock, now } from './clock.ts';

const NOON = Date.UTC(2026, 6, 18, 12);
const MONTH_MS = 32 * 86_400_000;

describe('the offset to the gateway’s clock', () => {
  it('stays while answers are consistent with it', () => {
    const late = { reportedMs: NOON, askedAt: NOON + 990, answeredAt: NOON + 995 };
    expect(adjustOffset(0, late)).toBe(0);
    expect(adjustOffset(-300, late)).toBe(-300);
  });

  it('follows a clock that was moved, up to the reported time', () => {
    const travelled = { reportedMs: NOON + MONTH_MS, askedAt: NOON + 400, answeredAt: NOON + 500 };
    expect(adjustOffset(0, travelled)).toBe(MONTH_MS - 500);
  });

  it('is negative where this machine’s clock is ahead', () => {
    const wrong = { reportedMs: NOON, askedAt: NOON + 7_200_000, answeredAt: NOON + 7_200_040 };
    expect(adjustOffset(0, wrong)).toBe(-7_199_000);
  });
});

describe('the time of the pages', () => {
  beforeEach(() => vi.useFakeTimers({ now: NOON }));
  afterEach(() => vi.useRealTimers());

  it('is the gateway’s from its first answer on', () => {
    followGatewayClock(new Date(NOON + MONTH_MS).toUTCString(), NOON);
    vi.advanceTimersByTime(90_000);
    // `Date` has a resolution of one second.
    expect(Math.floor((now() - NOON - MONTH_MS) / 1_000)).toBeOneOf([90, 91]);
  });

  it('ignores an answer without a valid date', () => {
    const before = now();
    followGatewayClock(null, NOON);
    followGatewayClock('soon', NOON);
    expect(now()).toBe(before);
  });
});
