import { expect, it } from 'vitest';
import { chooseTests } from './chosen-tests.ts';

const measured = new Map(
  Object.entries({ far: [400, 7], near: [1_000, 7], slow: [3_000, 7], other: [10, 8] }).map(
    ([test, [ms = 0, point = 0]]) => [test, { ms, hits: new Map([['a.ts', new Set([point])]]) }],
  ),
);
const choose = (point: number, budgetMs: number): string[] =>
  chooseTests([{ file: 'a.ts', point }], measured, (test) => test === 'near', budgetMs).map(
    ({ file }) => file,
  );

it('chooses tests that run the point, the shortest first, and sooner those of the folder', () => {
  expect(choose(7, 60_000)).toEqual(['near', 'far', 'slow']);
  expect(choose(9, 60_000)).toEqual([]);
});

it('stops when the time is used up, but takes at least one', () => {
  expect(choose(7, 1_000)).toEqual(['near']);
  expect(choose(7, 0)).toEqual(['near']);
  expect(choose(7, 1_100)).toEqual(['near', 'far']);
});
