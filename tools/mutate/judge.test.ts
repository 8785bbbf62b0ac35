import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeScratchCopy, type ScratchCopy } from '../scratch-copy.ts';
import { createJudge, type Verdict } from './judge.ts';
import { type Mutant, mutantByHand, mutantsOf } from './mutants.ts';
import { createTestRunner, type TestRunner } from './test-runner.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILE = 'tools/mutate/fixture/allowance.ts';
const TEST = 'tools/mutate/fixture/allowance.test.ts';
const OTHER_TEST = 'packages/contract/src/text.test.ts';
const original = readFileSync(join(ROOT, FILE), 'utf8');
const lineOf = (text: string): number => original.slice(0, original.indexOf(text)).split('\n').length;

let copy: ScratchCopy;
let runner: TestRunner;
beforeAll(() => {
  copy = makeScratchCopy(ROOT);
  runner = createTestRunner(copy.path, { PARLEY_TEST_ONLY_PARLEY: '1' });
});
afterAll(() => {
  runner[Symbol.dispose]();
  copy[Symbol.dispose]();
});

function judge(mutant: Mutant, graceMs?: number): Promise<Verdict> {
  return createJudge({ runner, copy, graceMs })(mutant, original, [{ file: TEST, ms: 100 }]);
}

function mutant(after: string): Mutant {
  const found = mutantsOf(ROOT, FILE).find((each) => each.after === after);
  if (!found) throw new Error(`Nothing becomes “${after}”.`);
  return found;
}

it('distinguishes detected from surviving mutations, and names the detecting test', async () => {
  expect(await judge(mutant('return used >= limit;'))).toMatchObject({
    outcome: 'noticed',
    by: 'allowance.test.ts > lets pass what is below the limit, and nothing where there is none',
    asked: 1,
  });
  expect(await judge(mutant('return used <= limit;'))).toMatchObject({ outcome: 'survived', asked: 1 });
});

it('counts a slow failure when it repeats: a busy machine fails tests too', async () => {
  const failed = { failed: [{ by: TEST, byFile: TEST, ms: 9_000 }], files: [] };
  const passed = { failed: [], files: [] };
  const judgeWith = (...results: (typeof failed | typeof passed)[]) =>
    createJudge({ copy, runner: { run: async () => results.shift() ?? passed, invalidate() {} } })(
      mutant('return used >= limit;'),
      original,
      [{ file: TEST, ms: 100 }],
    );
  expect(await judgeWith(failed, passed)).toMatchObject({ outcome: 'survived', asked: 1 });
  expect(await judgeWith(failed, failed)).toMatchObject({ outcome: 'noticed', by: TEST });
});

it('asks no test about a mutation that none of them runs', async () => {
  const verdict = await createJudge({ runner, copy })(mutant('return used >= limit;'), original, []);
  expect(verdict).toMatchObject({ outcome: 'survived', asked: 0 });
});

it('attributes no stale failure of an earlier mutation', async () => {
  expect(await judge(mutant('return used >= limit;'))).toMatchObject({ outcome: 'noticed', byFile: TEST });
  expect(await runner.run([OTHER_TEST], 60_000)).toMatchObject({ failed: [], files: [{ file: OTHER_TEST }] });
});

it('ends an endless mutation at the time limit, and continues with the next', async () => {
  const endless = mutantByHand(ROOT, FILE, lineOf('while (!isDone())'), '  while (rounds >= 0) rounds += 0;');
  expect(await judge(endless, 500)).toMatchObject({ outcome: 'timed out', by: TEST });
  expect(await judge(mutant('if (limit !== 0) return false;'))).toMatchObject({ outcome: 'noticed' });
});

it('ignores a test that also fails without a mutation', async () => {
  copy.write(TEST, readFileSync(join(ROOT, TEST), 'utf8').replace('toBe(2)', 'toBe(3)'));
  runner.invalidate([TEST]);
  expect(await judge(mutant('return used >= limit;'))).toMatchObject({ outcome: 'survived', asked: 0 });
});
