import type { SuiteResult } from '../services/scripts.ts';
import type { Selection } from './select.ts';
import type { Suite } from './suites.ts';

export interface Outcome {
  readonly selection: Selection;
  readonly result: SuiteResult;
}

/** More failures than these are not the machine's. */
const MOST_FAILURES = 3;
/** Loss and doubling are never a question of load. */
const NEVER_TWICE = /^test\/(?:chaos|scale)\b/;

const mayRunAgain = (suite: Suite): boolean => !suite.folders.some((folder) => NEVER_TWICE.test(folder));

/**
 * Runs what failed in a whole run once more, alone. What passes then is unsteady: its first failure is shown, and does not fail the run.
 * Whatever fails in a chaos or scale suite, and more than a few failures, stay as they are.
 */
export async function takeSecondLook(
  outcomes: readonly Outcome[],
  runAgain: (selection: Selection) => Promise<SuiteResult>,
): Promise<{ results: SuiteResult[]; unsteady: string[] }> {
  const failures = outcomes.reduce((sum, { result }) => sum + result.failed, 0);
  const unsteady: string[] = [];
  const results: SuiteResult[] = [];
  for (const { selection, result } of outcomes) {
    const { failed, failedFiles } = result;
    if (failed === 0 || failures > MOST_FAILURES || !failedFiles || !mayRunAgain(selection.suite)) {
      results.push(result);
      continue;
    }
    const again = await runAgain({ ...selection, files: failedFiles });
    if (again.failed > 0) results.push({ ...result, failures: again.failures });
    else {
      unsteady.push(...result.failures);
      results.push({ passed: result.passed + failed, failed: 0, failures: [] });
    }
  }
  return { results, unsteady };
}
