import type { ScratchCopy } from '../scratch-copy.ts';
import type { TimedTest } from './chosen-tests.ts';
import type { Mutant } from './mutants.ts';
import type { Failure, TestRunner } from './test-runner.ts';

export interface Verdict {
  readonly mutant: Mutant;
  readonly outcome: 'noticed' | 'timed out' | 'survived';
  /** Failed test and its file. */
  readonly by?: string;
  readonly byFile?: string;
  /** Number of test files that ran; none runs the line if it is 0. */
  readonly asked: number;
}

export interface Judge {
  (mutant: Mutant, original: string, tests: readonly TimedTest[]): Promise<Verdict>;
  /** Tests that fail on the unchanged sources, with the reason. */
  readonly broken: ReadonlyMap<string, string>;
}

/** Sizes of the batches: the first test detects most mutations. */
const FIRST = 1;
const NEXT = 4;
/** Factor for slow tests on a loaded machine. */
const GRACE_MS = 45_000;
const SLOWER = 4;
const LIMIT_MS = 300_000;
/** A test that fails after this time may have waited in vain for a busy machine. */
const SLOW_MS = 7_000;

interface Parts {
  readonly runner: Pick<TestRunner, 'run' | 'invalidate'>;
  readonly copy: Pick<ScratchCopy, 'write'>;
  /** Allowance beyond the usual time of the tests. */
  readonly graceMs?: number | undefined;
}

/** Runs tests on mutants, in the given order, until one fails that passes without the mutation. */
export function createJudge({ runner, copy, graceMs = GRACE_MS }: Parts): Judge {
  const trusted = new Set<string>();
  const broken = new Map<string, string>();

  async function judge(mutant: Mutant, original: string, all: readonly TimedTest[]): Promise<Verdict> {
    const tests = all.filter(({ file }) => !broken.has(file));
    const verdict = await runOn(mutant, original, tests);
    const { by, byFile } = verdict;
    if (by === undefined || byFile === undefined || trusted.has(byFile)) return verdict;
    return (await passesUnchanged(byFile)) ? verdict : judge(mutant, original, tests);
  }

  async function passesUnchanged(test: string): Promise<boolean> {
    const result = await runner.run([test], LIMIT_MS);
    if (typeof result === 'object' && result.failed.length === 0) trusted.add(test);
    else broken.set(test, typeof result === 'string' ? result : (result.failed[0]?.by ?? 'no test'));
    return trusted.has(test);
  }

  async function runOn(mutant: Mutant, original: string, tests: readonly TimedTest[]): Promise<Verdict> {
    let asked = 0;
    put(mutant.file, mutant.source);
    try {
      for (const group of groups(tests)) {
        const usual = group.reduce((sum, { ms }) => sum + ms, 0);
        const files = group.map(({ file }) => file);
        asked += files.length;
        const result = await runner.run(files, graceMs + usual * SLOWER);
        if (result === 'timed out') return { mutant, outcome: 'timed out', by: files.join(', '), asked };
        if (result === 'ended') return { mutant, outcome: 'noticed', by: 'the test process ended', asked };
        const [first] = result.failed;
        if (first && (await failsAgain(first, graceMs + usual * SLOWER)))
          return {
            mutant,
            outcome: 'noticed',
            by: first.by,
            ...(first.byFile && { byFile: first.byFile }),
            asked,
          };
      }
      return { mutant, outcome: 'survived', asked };
    } finally {
      put(mutant.file, original);
    }
  }

  /** A slow failure counts when it repeats. */
  async function failsAgain({ byFile, ms = 0 }: Failure, limitMs: number): Promise<boolean> {
    if (byFile === undefined || ms < SLOW_MS) return true;
    const again = await runner.run([byFile], limitMs);
    return typeof again === 'string' || again.failed.length > 0;
  }

  function put(file: string, source: string): void {
    copy.write(file, source);
    runner.invalidate([file]);
  }

  return Object.assign(judge, { broken });
}

function groups(tests: readonly TimedTest[]): TimedTest[][] {
  const found = tests.length === 0 ? [] : [tests.slice(0, FIRST)];
  for (let next = FIRST; next < tests.length; next += NEXT) found.push(tests.slice(next, next + NEXT));
  return found;
}
