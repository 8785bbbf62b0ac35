import { expect, it, vi } from 'vitest';
import { type CountedTest, compareCounts } from './counts.ts';

const counted = (title: string, assertions: number, more: Partial<CountedTest> = {}): CountedTest => ({
  ...{ world: 'alone', file: 'a.test.ts', title, isNightly: false, assertions },
  ...more,
});

it('names tests that are gone, and tests with fewer assertions', () => {
  const before = [
    counted('kept', 1),
    counted('gone', 2),
    counted('weaker', 3),
    counted('case', 1),
    counted('case', 1),
  ];
  const after = [counted('kept', 4), counted('weaker', 2), counted('case', 9), counted('new', 0)];
  expect(compareCounts(before, after).lost).toEqual([
    'alone: a.test.ts > gone: 1 → 0 tests',
    'alone: a.test.ts > weaker: 3 → 2 assertions',
    'alone: a.test.ts > case: 2 → 1 tests',
  ]);
  expect(compareCounts(after, after).lost).toEqual([]);
});

it('counts what runs at night apart, and a cluster as another world', () => {
  const before = [counted('one', 1), counted('one', 2, { world: 'cluster' })];
  const { summary, lost } = compareCounts(before, [
    before[0] as CountedTest,
    counted('two', 5, { isNightly: true }),
  ]);
  expect(summary).toEqual([
    'before: 2 tests with 3 assertions, 0 tests with 0 assertions at night',
    'after: 1 tests with 1 assertions, 1 tests with 5 assertions at night',
  ]);
  expect(lost).toEqual(['cluster: a.test.ts > one: 1 → 0 tests']);
});

it('counts the assertions of the last look of a poll', async () => {
  let looks = 0;
  await vi.waitFor(() => expect(++looks).toBe(3), { interval: 1 });
  const { assertionCalls } = expect.getState();
  expect([looks, assertionCalls]).toEqual([3, 1]);
});
