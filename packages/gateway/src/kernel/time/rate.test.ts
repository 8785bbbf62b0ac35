import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { perMinute, perSecond, type RateLimit, takeOne } from './rate.ts';

describe('the rate arithmetic', () => {
  it('allows the burst at once, then one per interval', () => {
    const limit = perMinute(10);
    let fullAt = 0;
    for (let i = 0; i < 10; i++) {
      const verdict = takeOne(limit, fullAt, 1_000_000);
      expect(verdict).toMatchObject({ allowed: true, remaining: 9 - i });
      fullAt = verdict.fullAt;
    }
    const refused = takeOne(limit, fullAt, 1_000_000);
    expect(refused).toMatchObject({ allowed: false, retryAfterMs: 6_000, fullAt });
    expect(takeOne(limit, fullAt, 1_006_000).allowed).toBe(true);
  });

  it('refills after a long pause up to the burst and no further', () => {
    const limit = perSecond(1, 5);
    let fullAt = takeOne(limit, 0, 0).fullAt;
    let allowed = 0;
    for (let i = 0; i < 20; i++) {
      const verdict = takeOne(limit, fullAt, 3_600_000);
      fullAt = verdict.fullAt;
      if (verdict.allowed) allowed++;
    }
    expect(allowed).toBe(5);
  });

  it('agrees with a continuously refilled bucket, whatever the arrivals', () => {
    const limits = fc.constantFrom(perSecond(1, 5), perMinute(7), perMinute(30), perSecond(20, 40));
    fc.assert(
      fc.property(limits, fc.array(fc.nat(20_000), { maxLength: 300 }), (limit, gaps) => {
        const bucket = createBucket(limit);
        let now = 0;
        let fullAt = 0;
        for (const gap of gaps) {
          now += gap;
          const verdict = takeOne(limit, fullAt, now);
          expect(verdict.allowed).toBe(bucket.take(now));
          fullAt = verdict.fullAt;
          if (!verdict.allowed) {
            expect(takeOne(limit, fullAt, now + Math.ceil(verdict.retryAfterMs)).allowed).toBe(true);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** The simple model: a number of tokens that grows with time. */
function createBucket(limit: RateLimit) {
  let tokens = limit.burst;
  let at = 0;
  return {
    take(now: number): boolean {
      tokens = Math.min(limit.burst, tokens + (now - at) / limit.intervalMs);
      at = now;
      if (tokens < 1 - 1e-7) return false;
      tokens -= 1;
      return true;
    },
  };
}
