import type { TestRunner } from './test-runner.ts';

export interface TimedTest {
  readonly file: string;
  /** Duration on the unchanged sources. */
  readonly ms: number;
}

export interface TimedTests {
  /** First test files that fit into the time; at least one. */
  fitting(files: readonly string[]): Promise<TimedTest[]>;
  /** Whether a test file passes on the unchanged sources. Failing ones are not run again. */
  stillPasses(file: string): Promise<boolean>;
  /** Tests that fail on the unchanged sources, with the reason. */
  readonly broken: ReadonlyMap<string, string>;
}

/** Size of a batch for timing its files. */
const BATCH = 4;
const LIMIT_MS = 300_000;

/** Times each test once on the unchanged sources. */
export function createTimedTests(runner: TestRunner, budgetMs: number): TimedTests {
  const times = new Map<string, number>();
  const broken = new Map<string, string>();

  async function measure(files: readonly string[]): Promise<void> {
    if (files.length === 0) return;
    const result = await runner.run(files, LIMIT_MS);
    if (typeof result === 'object' && result.failed.length === 0) {
      for (const file of files) times.set(file, result.files.find((each) => each.file === file)?.ms ?? 0);
      return;
    }
    const [only] = files;
    if (only !== undefined && files.length === 1)
      broken.set(only, typeof result === 'string' ? result : (result.failed[0]?.by ?? 'no test'));
    else for (const file of files) await measure([file]);
  }

  return {
    async fitting(files) {
      const fitting: TimedTest[] = [];
      let left = budgetMs;
      for (let next = 0; next < files.length && left > 0; next += BATCH) {
        const batch = files.slice(next, next + BATCH);
        await measure(batch.filter((file) => !times.has(file) && !broken.has(file)));
        for (const file of batch) {
          const ms = times.get(file);
          if (ms === undefined || left <= 0) continue;
          fitting.push({ file, ms });
          left -= ms;
        }
      }
      return fitting;
    },
    async stillPasses(file) {
      times.delete(file);
      await measure([file]);
      return !broken.has(file);
    },
    broken,
  };
}
