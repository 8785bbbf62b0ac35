import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askPlan, type PlanUse, UNUSED_PLAN } from './limits.ts';

const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

interface Attempt {
  readonly at: number;
  readonly admitted: boolean;
  readonly retryAfterMs: number;
}

/** A client that sends at these times, in milliseconds after the start. */
function play(perMinute: number, times: readonly number[]): Attempt[] {
  let use: PlanUse = UNUSED_PLAN;
  return times.map((time) => {
    const at = START + time;
    const { allowed, retryAfterMs, after } = askPlan(use, perMinute, at);
    if (allowed) use = after;
    return { at: time, admitted: allowed, retryAfterMs };
  });
}

const admittedOf = (attempts: readonly Attempt[]) =>
  attempts.filter(({ admitted }) => admitted).map(({ at }) => at);

const plans = fc.constantFrom(1, 7, 10, 20, 30, 60, 600);
/** Gaps from a hammering client to one that is silent for minutes, in turns. */
const gaps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.nat(300) },
    { weight: 3, arbitrary: fc.nat(8_000) },
    { weight: 1, arbitrary: fc.integer({ min: 50_000, max: 70_000 }) },
  ),
  { maxLength: 400 },
);
const arrivals = gaps.map((each) => {
  let now = 0;
  return each.map((gap) => (now += gap));
});

describe('the rate of a plan, whatever the arrivals', () => {
  it('never admits more than the plan allows in any 60 seconds', () => {
    fc.assert(
      fc.property(plans, arrivals, (perMinute, times) => {
        const sent = admittedOf(play(perMinute, times));
        for (const [index, at] of sent.entries()) {
          const first = sent[index - perMinute];
          if (first !== undefined) expect(at - first).toBeGreaterThanOrEqual(MINUTE);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('gives a number that was quiet for a minute the whole allowance within the first minute, and no more', () => {
    fc.assert(
      fc.property(plans, arrivals, (perMinute, times) => {
        let first = 0;
        let last = Number.NEGATIVE_INFINITY;
        let count = 0;
        for (const { at, admitted } of play(perMinute, times)) {
          if (at - last >= MINUTE) {
            first = at;
            count = 0;
          }
          if (at - first < MINUTE) expect(admitted).toBe(count < perMinute);
          if (!admitted) continue;
          last = at;
          count += 1;
        }
      }),
      { numRuns: 500 },
    );
  });

  it('then admits one per interval, until it was quiet for a minute again', () => {
    fc.assert(
      fc.property(plans, arrivals, (perMinute, times) => {
        const sent = admittedOf(play(perMinute, times));
        let first = 0;
        for (const [index, at] of sent.entries()) {
          const before = sent[index - 1] ?? Number.NEGATIVE_INFINITY;
          if (at - before >= MINUTE) first = at;
          if (at - first >= MINUTE)
            expect(at - before).toBeGreaterThanOrEqual(Math.floor(MINUTE / perMinute));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('admits a client that has waited as long as announced', () => {
    fc.assert(
      fc.property(plans, arrivals, (perMinute, times) => {
        for (const [index, { admitted, at, retryAfterMs }] of play(perMinute, times).entries()) {
          if (admitted) continue;
          expect(retryAfterMs).toBeLessThanOrEqual(MINUTE);
          const later = play(perMinute, [...times.slice(0, index), at + Math.ceil(retryAfterMs)]);
          expect(later.at(-1)?.admitted).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('the rate of a plan', () => {
  it('never refuses a steady client that keeps to it', () => {
    for (const perMinute of [7, 10, 20, 30]) {
      const times = Array.from({ length: 5 * perMinute }, (_, sent) =>
        Math.ceil((sent * MINUTE) / perMinute),
      );
      expect(admittedOf(play(perMinute, times))).toEqual(times);
    }
  });

  it('admits ten messages of a hammering client in each of the first two minutes', () => {
    const times = Array.from({ length: 120 }, (_, second) => second * 1_000);
    const sent = admittedOf(play(10, times));
    expect(sent.filter((at) => at < MINUTE)).toEqual(times.slice(0, 10));
    expect(sent.filter((at) => at >= MINUTE)).toEqual(
      Array.from({ length: 10 }, (_, each) => MINUTE + each * 6_000),
    );
  });
});
