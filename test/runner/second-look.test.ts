import { expect, it } from 'vitest';
import type { SuiteResult } from '../services/scripts.ts';
import { type Outcome, takeSecondLook } from './second-look.ts';
import type { Selection } from './select.ts';
import { suites } from './suites.ts';

const PASSED: SuiteResult = { passed: 9, failed: 0, failures: [] };

function outcome(name: string, failed: number, failedFiles: readonly string[] | undefined): Outcome {
  const suite = suites.find((each) => each.name === name);
  if (!suite) throw new Error(`there is no suite ${name}`);
  const failures = Array.from({ length: failed }, (_, place) => `${name} ${place}`);
  return {
    selection: { suite, files: [], services: [] },
    result: { passed: 8, failed, failures, failedFiles },
  };
}

async function look(outcomes: readonly Outcome[], second: SuiteResult = PASSED) {
  const repeated: Selection[] = [];
  const seen = await takeSecondLook(outcomes, async (selection) => {
    repeated.push(selection);
    return second;
  });
  return { ...seen, files: repeated.map(({ files }) => files) };
}

it('runs the failed files alone, and names what passes then', async () => {
  const steady = outcome('portal', 0, []);
  expect(await look([outcome('unit', 1, ['a.test.ts']), steady])).toEqual({
    results: [{ passed: 9, failed: 0, failures: [] }, steady.result],
    unsteady: ['unit 0'],
    files: [['a.test.ts']],
  });
});

it('keeps the failure of what fails twice', async () => {
  const again = { passed: 0, failed: 1, failures: ['still'] };
  const { results, unsteady } = await look([outcome('unit', 1, ['a.test.ts'])], again);
  expect(results).toMatchObject([{ failed: 1, failures: ['still'] }]);
  expect(unsteady).toEqual([]);
});

it.each([
  ['a chaos suite', [outcome('threads', 1, [])]],
  ['a scale suite', [outcome('move', 1, [])]],
  ['an error outside of the tests', [outcome('unit', 1, undefined)]],
  ['more than three failures', [outcome('unit', 2, ['a.test.ts']), outcome('conformance', 2, ['b.test.ts'])]],
])('leaves %s failed', async (_what, outcomes) => {
  const { results, unsteady, files } = await look(outcomes);
  expect(results).toEqual(outcomes.map(({ result }) => result));
  expect({ unsteady, files }).toEqual({ unsteady: [], files: [] });
});
