import { expect, test } from 'vitest';
import { createSteppedClock } from './clock.ts';
import { startPeriodicJob } from './periodic-job.ts';

const quiet = { log: { error() {} }, complaint: '' };

/** When each of several jobs works, by the clock that they share; they are started `offsets` after each other. */
async function workedAt(offsets: readonly number[], everyMs: number, forMs: number): Promise<number[][]> {
  const clock = createSteppedClock();
  const times: number[][] = [];
  for (const offset of offsets) {
    clock.advance(offset);
    const mine: number[] = [];
    times.push(mine);
    startPeriodicJob({ ...quiet, clock, everyMs, work: async () => void mine.push(clock.monotonic()) });
  }
  for (let passed = 0; passed < forMs; passed += 100) {
    // Each has to get as far as its next nap.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    clock.advance(100);
  }
  return times;
}

test('jobs that look every few seconds wake together, whenever they were started', async () => {
  const [one = [], other = [], third = []] = await workedAt([0, 300, 400], 5_000, 21_000);
  expect(one).toEqual([0, 5_000, 10_000, 15_000, 20_000]);
  expect(other).toEqual([300, 5_000, 10_000, 15_000, 20_000]);
  expect(third).toEqual([700, 5_000, 10_000, 15_000, 20_000]);
});

test('a job that looks oftener keeps its own time', async () => {
  const [one = []] = await workedAt([300], 2_000, 5_000);
  expect(one).toEqual([300, 2_300, 4_300]);
});
