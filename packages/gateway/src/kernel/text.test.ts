import { expect, it } from 'vitest';
import { sortBy } from './text.ts';

it('sorts by code unit, keeps the order of equal items, and does not change its input', () => {
  const given = ['b', 'Z', 'a', 'ä', 'a2', ''];
  expect(sortBy(given, (text) => text)).toEqual(['', 'Z', 'a', 'a2', 'b', 'ä']);
  expect(given[0]).toBe('b');
  const pairs = new Map([
    ['x', 'one'],
    ['y', 'other'],
    ['z', 'one'],
    ['w', 'other'],
  ]);
  expect(sortBy(pairs, ([, key]) => key).map(([name]) => name)).toEqual(['x', 'z', 'y', 'w']);
});
