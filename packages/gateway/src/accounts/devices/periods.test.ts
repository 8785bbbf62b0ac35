import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { periodAt } from './periods.ts';

const at = (iso: string): number => Date.parse(iso);

/** The starts of the periods that follow each other from the anchor on. */
function starts(anchor: string, count: number): string[] {
  const found: string[] = [];
  for (let from = at(anchor); found.length < count; ) {
    const { start, end } = periodAt(at(anchor), from);
    found.push(new Date(start).toISOString().slice(0, 10));
    from = end;
  }
  return found;
}

describe('a monthly period', () => {
  it('keeps the day of its anchor, clamped to the month: 31 Jan → 28 Feb → 31 Mar', () => {
    expect(starts('2026-01-31T10:00:00Z', 5)).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
    ]);
  });

  it('knows leap years', () => {
    expect(starts('2028-01-30T00:00:00Z', 3)).toEqual(['2028-01-30', '2028-02-29', '2028-03-30']);
    expect(starts('2028-02-29T00:00:00Z', 13).at(-1)).toBe('2029-02-28');
    expect(starts('2100-01-29T00:00:00Z', 2)).toEqual(['2100-01-29', '2100-02-28']);
  });

  it('keeps the time of day, so that no hours are lost at its end', () => {
    const { start, end } = periodAt(at('2026-01-31T23:59:59.999Z'), at('2026-02-10T00:00:00Z'));
    expect(new Date(start).toISOString()).toBe('2026-01-31T23:59:59.999Z');
    expect(new Date(end).toISOString()).toBe('2026-02-28T23:59:59.999Z');
  });

  it('begins with its first moment and ends before its last', () => {
    const anchor = at('2026-05-15T12:00:00Z');
    const { start, end } = periodAt(anchor, anchor);
    expect(start).toBe(anchor);
    expect(periodAt(anchor, end - 1)).toEqual({ start, end });
    expect(periodAt(anchor, end).start).toBe(end);
  });

  const moment = fc.integer({ min: at('1990-01-01T00:00:00Z'), max: at('2200-01-01T00:00:00Z') });

  it('tiles time: every moment is in exactly one, and the next begins where it ends', () => {
    fc.assert(
      fc.property(moment, moment, (anchor, now) => {
        const { start, end } = periodAt(anchor, now);
        expect(start).toBeLessThanOrEqual(now);
        expect(end).toBeGreaterThan(now);
        expect(periodAt(anchor, start)).toEqual({ start, end });
        expect(periodAt(anchor, end - 1)).toEqual({ start, end });
        expect(periodAt(anchor, end).start).toBe(end);
        expect(periodAt(anchor, start - 1).end).toBe(start);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is as long as a month, whatever the anchor', () => {
    fc.assert(
      fc.property(moment, moment, (anchor, now) => {
        const { start, end } = periodAt(anchor, now);
        const days = (end - start) / 86_400_000;
        expect(days).toBeGreaterThanOrEqual(28);
        expect(days).toBeLessThanOrEqual(31);
      }),
    );
  });
});
