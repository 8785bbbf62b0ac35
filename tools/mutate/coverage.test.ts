import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/services/cleanup.ts';
import { makeScratchCopy, type ScratchCopy } from '../scratch-copy.ts';
import { createCoverage } from './coverage.ts';
import { mapSource, pointAt } from './points.ts';
import { LOADED } from './reach.ts';
import { createTestRunner, type TestRunner } from './test-runner.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILE = 'tools/mutate/fixture/allowance.ts';
const TEST = 'tools/mutate/fixture/allowance.test.ts';
const OTHER_TEST = 'packages/contract/src/text.test.ts';
const text = readFileSync(join(ROOT, FILE), 'utf8');
const map = mapSource(FILE, text);

let copy: ScratchCopy;
let runner: TestRunner;
const folder = makeTemporaryFolder('parley-measurements-');
beforeAll(() => {
  copy = makeScratchCopy(ROOT);
  runner = createTestRunner(copy.path, { PARLEY_TEST_ONLY_PARLEY: '1' });
});
afterAll(() => {
  runner[Symbol.dispose]();
  copy[Symbol.dispose]();
  folder.remove();
});

function coverageOf(source: string, textOfTest: string) {
  const sources = new Map([[FILE, { text: source, map: mapSource(FILE, source) }]]);
  return createCoverage({ copy, runner, sources, folder: folder.path, textOf: () => textOfTest });
}

it('measures what a test runs, and nothing of a test of something else', async () => {
  const coverage = coverageOf(text, 'as it is');
  const measurement = await coverage.measure(TEST);
  if (typeof measurement === 'string') throw new Error(measurement);
  const hits = measurement.hits.get(FILE);
  expect(hits).toContain(LOADED);
  expect(hits).toContain(pointAt(map, text.indexOf('used < limit')));
  expect(hits).not.toContain(pointAt(map, text.indexOf('throw')));
  expect(measurement.ms).toBeGreaterThan(0);
  expect(await coverage.measure(OTHER_TEST)).toMatchObject({ hits: new Map() });
});

it('remembers a measurement until the test or a source in question changes', async () => {
  const measured = await coverageOf(text, 'as it is').measure(TEST);
  expect(coverageOf(text, 'as it is').read(TEST, [FILE])).toEqual(measured);
  expect(coverageOf(text, 'changed').read(TEST, [FILE])).toBeUndefined();
  expect(coverageOf(`${text}\n`, 'as it is').read(TEST, [FILE])).toBeUndefined();
  expect(coverageOf(`${text}\n`, 'as it is').read(TEST, ['another.ts'])).toEqual(measured);
});

it('answers why a test cannot be measured', async () => {
  copy.write(TEST, readFileSync(join(ROOT, TEST), 'utf8').replace('toBe(2)', 'toBe(3)'));
  runner.invalidate([TEST]);
  const coverage = coverageOf(text, 'broken');
  expect(await coverage.measure(TEST)).toBe('allowance.test.ts > waits until it is done');
  expect(coverage.read(TEST, [FILE])).toBeUndefined();
});
