import type { ScratchCopy } from '../scratch-copy.ts';
import type { Mutant } from './mutants.ts';
import type { TestRunner } from './test-runner.ts';
import type { TimedTest, TimedTests } from './timed-tests.ts';

export interface Verdict {
  readonly mutant: Mutant;
  readonly outcome: 'noticed' | 'timed out' | 'survived';
  /** Failed test and its file. */
  readonly by?: string;
  readonly byFile?: string;
  /** Number of test files that ran. */
  readonly asked: number;
}

/** Size of the first batch: the nearest tests detect most mutations. */
const FIRST = 2;
const NEXT = 4;
/** Factor for slow tests on a loaded machine. */
const GRACE_MS = 45_000;
const SLOWER = 4;

type Judge = (mutant: Mutant, original: string, tests: readonly string[]) => Promise<Verdict>;

interface Parts {
  readonly runner: Pick<TestRunner, 'run' | 'invalidate'>;
  readonly copy: Pick<ScratchCopy, 'write'>;
  readonly timed: Pick<TimedTests, 'fitting' | 'stillPasses'>;
  /** Allowance beyond the usual time of the tests. */
  readonly graceMs?: number | undefined;
}

/** Runs tests on mutants, the nearest first, until one fails that passes without the mutation. */
export function createJudge({ runner, copy, timed, graceMs = GRACE_MS }: Parts): Judge {
  const trusted = new Set<string>();

  async function judge(mutant: Mutant, original: string, tests: readonly string[]): Promise<Verdict> {
    const verdict = await runOn(mutant, original, await timed.fitting(tests));
    const { by, byFile } = verdict;
    if (by === undefined || byFile === undefined || trusted.has(by)) return verdict;
    if (!(await timed.stillPasses(byFile))) return judge(mutant, original, tests);
    trusted.add(by);
    return verdict;
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
        if (first) return { mutant, outcome: 'noticed', ...first, asked };
      }
      return { mutant, outcome: 'survived', asked };
    } finally {
      put(mutant.file, original);
    }
  }

  function put(file: string, source: string): void {
    copy.write(file, source);
    runner.invalidate([file]);
  }

  return judge;
}

function groups(tests: readonly TimedTest[]): TimedTest[][] {
  const found = tests.length === 0 ? [] : [tests.slice(0, FIRST)];
  for (let next = FIRST; next < tests.length; next += NEXT) found.push(tests.slice(next, next + NEXT));
  return found;
}
