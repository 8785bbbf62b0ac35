import { beforeEach, describe, expect, test } from 'vitest';
import { type Breaker, createBreaker } from './breaker.ts';

const MINUTE = 60_000;
let breaker: Breaker;
let now: number;

beforeEach(() => {
  breaker = createBreaker({ fraction: () => 0.5 });
  now = 1_000_000;
});

function fail(times: number): void {
  for (let each = 0; each < times; each++) breaker.failed(now);
}

function succeed(times: number): void {
  for (let each = 0; each < times; each++) breaker.succeeded(now);
}

const allowance = (): number => breaker.allowance(now, 4);

describe('opens', () => {
  test('after ten failures in a row, not after nine', () => {
    succeed(100);
    fail(9);
    expect(allowance()).toBe(4);
    fail(1);
    expect(allowance()).toBe(0);
  });

  test('when seven of ten fail, though never ten in a row', () => {
    for (let round = 0; round < 3; round++) {
      fail(2);
      succeed(1);
    }
    expect(allowance()).toBe(4);
    fail(1);
    expect(allowance()).toBe(0);
  });

  test('when seven of ten fail within five minutes, however far apart', () => {
    for (let each = 0; each < 10; each++) {
      expect(allowance()).toBe(4);
      if (each % 3 === 2) succeed(1);
      else fail(1);
      now += MINUTE / 2;
    }
    now -= MINUTE / 2;
    expect(allowance()).toBe(0);
  });

  test('not while fewer fail within five minutes, however many in the last half of them', () => {
    for (let step = 0; step < 10; step++) {
      succeed(step < 5 ? 4 : 1);
      if (step >= 5) fail(3);
      now += MINUTE / 2;
    }
    now -= MINUTE / 2;
    expect(allowance()).toBe(4);
  });

  test('not for failures that are older than five minutes', () => {
    fail(6);
    now += 6 * MINUTE;
    succeed(1);
    fail(4);
    expect(allowance()).toBe(4);
  });
});

describe('once open', () => {
  beforeEach(() => fail(10));

  test('lets one probe through after a pause', () => {
    now += 4_999;
    expect(allowance()).toBe(0);
    now += 1;
    expect(allowance()).toBe(1);
  });

  test('waits twice as long after each probe that fails, up to five minutes', () => {
    const pauses: number[] = [];
    for (let probe = 0; probe < 9; probe++) {
      const probeAt = breaker.probeAt ?? 0;
      pauses.push((probeAt - now) / 1_000);
      now = probeAt;
      fail(1);
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
  });

  test('does not count attempts that were under way when it opened', () => {
    const probeAt = breaker.probeAt;
    fail(3);
    expect(breaker.probeAt).toBe(probeAt);
  });

  test('closes with one success and starts with a clean slate', () => {
    now = breaker.probeAt ?? 0;
    succeed(1);
    expect(allowance()).toBe(4);
    fail(9);
    expect(allowance()).toBe(4);
    fail(1);
    expect(breaker.probeAt).toBe(now + 5_000);
  });

  test('can be asked to probe at once', () => {
    breaker.probeNow(now);
    expect(allowance()).toBe(1);
  });

  test('is worth remembering for as long as it matters', () => {
    expect(breaker.remembers(now)).toBe(true);
    expect(breaker.remembers(now + 6 * MINUTE)).toBe(false);
  });
});
