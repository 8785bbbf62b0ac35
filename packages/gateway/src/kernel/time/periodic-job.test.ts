import { expect, test } from 'vitest';
import { createSteppedClock } from './clock.ts';
import { startPeriodicJob } from './periodic-job.ts';

const quiet = { log: { debug() {}, error() {} }, name: 'quiet' };

/** Run times of several jobs on a shared clock; they are started `offsets` after each other. */
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
    // Lets each job reach its next sleep.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    clock.advance(100);
  }
  return times;
}

test('jobs with intervals of some seconds wake together, whenever they were started', async () => {
  const [one = [], other = [], third = []] = await workedAt([0, 300, 400], 5_000, 21_000);
  expect(one).toEqual([0, 5_000, 10_000, 15_000, 20_000]);
  expect(other).toEqual([300, 5_000, 10_000, 15_000, 20_000]);
  expect(third).toEqual([700, 5_000, 10_000, 15_000, 20_000]);
});

test('a job with a shorter interval keeps its own time', async () => {
  const [one = []] = await workedAt([300], 2_000, 5_000);
  expect(one).toEqual([300, 2_300, 4_300]);
});

/** A job whose run fails when `fail` is called, and its log. */
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

test('logs each successful run with its duration', async () => {
  const { job, clock, done, succeed, worksAgain } = failingJob();
  clock.advance(20);
  succeed();
  await worksAgain();
  expect(done).toEqual([{ job: 'the-work', outcome: 'done', ms: 20 }]);
  succeed();
  await job.stop();
});

test('logs a failed run and runs again', async () => {
  const { job, clock, complaints, fail, worksAgain } = failingJob();
  const error = new Error('out of reach');
  clock.advance(20);
  fail(error);
  await worksAgain();
  expect(complaints).toEqual([[{ job: 'the-work', outcome: 'failed', ms: 20, err: error }, 'job']]);
  fail(error);
  await job.stop();
});

test('does not log a run that fails because of the stop', async () => {
  const { job, complaints, fail } = failingJob();
  const stopped = job.stop();
  fail(new Error('aborted'));
  await stopped;
  expect(complaints).toEqual([]);
});
