import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aheadBy, followGateway, now } from './clock.ts';

const NOON = Date.UTC(2026, 6, 18, 12);
const MONTH_MS = 32 * 86_400_000;

describe('how far the gateway is ahead', () => {
  it('stays what it was while the answer does not contradict it', () => {
    const late = { toldMs: NOON, askedAt: NOON + 990, heardAt: NOON + 995 };
    expect(aheadBy(0, late)).toBe(0);
    expect(aheadBy(-300, late)).toBe(-300);
  });

  it('follows a clock that was moved, never beyond what was told', () => {
    const travelled = { toldMs: NOON + MONTH_MS, askedAt: NOON + 400, heardAt: NOON + 500 };
    expect(aheadBy(0, travelled)).toBe(MONTH_MS - 500);
  });

  it('turns back with a machine that was itself ahead', () => {
    const wrong = { toldMs: NOON, askedAt: NOON + 7_200_000, heardAt: NOON + 7_200_040 };
    expect(aheadBy(0, wrong)).toBe(-7_199_000);
  });
});

describe('the time of the pages', () => {
  beforeEach(() => vi.useFakeTimers({ now: NOON }));
  afterEach(() => vi.useRealTimers());

  it('is the gateway’s from its first answer on, and goes on from there', () => {
    followGateway(new Date(NOON + MONTH_MS).toUTCString(), NOON);
    vi.advanceTimersByTime(90_000);
    // The time is told to the second.
    expect(Math.floor((now() - NOON - MONTH_MS) / 1_000)).toBeOneOf([90, 91]);
  });

  it('is not moved by an answer without a date', () => {
    const before = now();
    followGateway(null, NOON);
    followGateway('soon', NOON);
    expect(now()).toBe(before);
  });
});
