import { describe, expect, it } from 'vitest';
import { niceCeiling, splitIntoRuns } from './scale.ts';

describe('the end of an axis', () => {
  it.each([
    [0, 1],
    [1, 1],
    [3, 3],
    [7, 8],
    [10, 10],
    [11, 20],
    [24, 30],
    [430, 500],
    [9_999, 10_000],
  ])('for %i is %i', (value, ceiling) => {
    expect(niceCeiling(value)).toBe(ceiling);
  });
});

describe('a line', () => {
  it('has a gap where a value is missing', () => {
    expect(splitIntoRuns([null, 5, 10, null, null, 0], 10)).toEqual([
      [
        { x: 1.5, y: 0.5 },
        { x: 2.5, y: 0 },
      ],
      [{ x: 5.5, y: 1 }],
    ]);
  });
});
