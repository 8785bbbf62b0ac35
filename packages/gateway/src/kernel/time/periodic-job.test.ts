import { expect, test } from 'vitest';
import { createSteppedClock } from './clock.ts';
import { startPeriodicJob } from './periodic-job.ts';

const quiet = { log: { debug() {}, error() {} }, name: 'quiet' };

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

/** A job whose work fails when `fail` is called, and what it complained of. */
function failingJob() {
  const clock = createSteppedClock();
  const complaints: unknown[] = [];
  const done: unknown[] = [];
  let begun = Promise.withResolvers<void>();
  let work = Promise.withResolvers<void>();
  const job = startPeriodicJob({
    clock,
    everyMs: 1_000,
    work() {
      work = Promise.withResolvers<void>();
      begun.resolve();
      return work.promise;
    },
    log: {
      debug: (details) => done.push(details),
      error: (details, message) => complaints.push([details, message]),
    },
    name: 'the-work',
  });
  return {
    job,
    complaints,
    done,
    clock,
    fail: (error: Error) => work.reject(error),
    succeed: () => work.resolve(),
    async worksAgain() {
      begun = Promise.withResolvers<void>();
      const again = begun.promise;
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      clock.advance(1_000);
      await again;
    },
  };
}

test('logs each run that succeeds with its time', async () => {
  const { job, clock, done, succeed, worksAgain } = failingJob();
  clock.advance(20);
  succeed();
  await worksAgain();
  expect(done).toEqual([{ job: 'the-work', outcome: 'done', ms: 20 }]);
  succeed();
  await job.stop();
});

test('work that fails is logged and done again', async () => {
  const { job, clock, complaints, fail, worksAgain } = failingJob();
  const error = new Error('out of reach');
  clock.advance(20);
  fail(error);
  await worksAgain();
  expect(complaints).toEqual([[{ job: 'the-work', outcome: 'failed', ms: 20, err: error }, 'job']]);
  fail(error);
  await job.stop();
});

test('work that the stop makes fail is not logged', async () => {
  const { job, complaints, fail } = failingJob();
  const stopped = job.stop();
  fail(new Error('aborted'));
  await stopped;
  expect(complaints).toEqual([]);
});
