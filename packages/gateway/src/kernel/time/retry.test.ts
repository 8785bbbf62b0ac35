import { describe, expect, it } from 'vitest';
import { createSeededRandom } from '../random.ts';
import { growingPause, pauseBeforeRetry, SEND_RETRIES, WEBHOOK_RETRIES } from './retry.ts';

const middle = { fraction: () => 0.5 };

describe('retry schedules', () => {
  it('give a send five attempts and a webhook four', () => {
    const pauses = (schedule: typeof SEND_RETRIES): (number | undefined)[] =>
      [1, 2, 3, 4, 5].map((failed) => pauseBeforeRetry(schedule, failed, middle));
    expect(pauses(SEND_RETRIES)).toEqual([1_000, 5_000, 15_000, 60_000, undefined]);
    expect(pauses(WEBHOOK_RETRIES)).toEqual([30_000, 300_000, 1_800_000, undefined, undefined]);
  });

  it('spread each pause by a tenth and no more', () => {
    const random = createSeededRandom(7);
    const pauses = Array.from({ length: 1_000 }, () => pauseBeforeRetry(WEBHOOK_RETRIES, 1, random) ?? 0);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(27_000);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(33_000);
    expect(new Set(pauses).size).toBeGreaterThan(500);
  });

  it('grow up to a longest pause for unlimited retries', () => {
    const growth = { firstMs: 1_000, longestMs: 60_000, jitter: 0 };
    expect([1, 2, 3, 7, 500].map((failures) => growingPause(growth, failures, middle))).toEqual([
      1_000, 2_000, 4_000, 60_000, 60_000,
    ]);
  });
});
