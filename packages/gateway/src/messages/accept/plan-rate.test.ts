import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askPlan, type PlanUse, UNUSED_PLAN } from './plan-rate.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);

interface Told {
  readonly at: number;
  readonly admitted: boolean;
  readonly retryAfterMs: number;
}

/** A client that asks at these times, in milliseconds after the start. */
function play(perMinute: number, times: readonly number[]): Told[] {
  let use: PlanUse = UNUSED_PLAN;
  return times.map((time) => {
    const at = START + time;
    const { allowed, retryAfterMs, after } = askPlan(use, perMinute, at);
    if (allowed) use = after;
    return { at: time, admitted: allowed, retryAfterMs };
  });
}

const admittedOf = (told: readonly Told[]) => told.filter(({ admitted }) => admitted).map(({ at }) => at);

const plans = fc.constantFrom(1, 7, 10, 20, 30, 60, 600);
/** From a hammering client to one that is silent for minutes, by turns. */
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
  it('never lets 60 seconds hold more than its value', () => {
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

  it('gives whoever was quiet for a minute the whole value within the first minute, and no more', () => {
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

  it('lets one go per interval from then on, until it was quiet for a minute again', () => {
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

  it('lets whoever waits as long as it was told', () => {
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
  it('never minds a steady client that keeps to it', () => {
    for (const perMinute of [7, 10, 20, 30]) {
      const times = Array.from({ length: 5 * perMinute }, (_, sent) =>
        Math.ceil((sent * MINUTE) / perMinute),
      );
      expect(admittedOf(play(perMinute, times))).toEqual(times);
    }
  });

  it('lets ten of a hammering client go in each of the first two minutes', () => {
    const times = Array.from({ length: 120 }, (_, second) => second * 1_000);
    const sent = admittedOf(play(10, times));
    expect(sent.filter((at) => at < MINUTE)).toEqual(times.slice(0, 10));
    expect(sent.filter((at) => at >= MINUTE)).toEqual(
      Array.from({ length: 10 }, (_, each) => MINUTE + each * 6_000),
    );
  });
});
