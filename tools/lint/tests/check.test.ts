import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ENDS_EARLY,
  EXPECTS_NOTHING,
  findWeakTests,
  MOCKS_ONLY,
  PACES_NOTHING,
  REPLACES,
  SLEEPS,
} from './check.ts';

const VITEST = `
type Work = (...given: never[]) => unknown;
interface Case { (title: string, work: Work): void; (title: string, options: object, work: Work): void; each(rows: unknown[]): Case; skipIf(is: boolean): Case }
interface Matchers { toBe(value: unknown): void; toHaveBeenCalledOnce(): void; not: Matchers; resolves: Matchers }
export declare const it: Case;
export declare const test: Case & { store: { run(name: string, work: Work): void } };
export declare function expect(value: unknown): Matchers;
export declare namespace expect { function objectContaining(value: object): unknown; function poll(look: Work): Matchers }
export declare const vi: { fn(): Work & { mock: { calls: unknown[][] } }; mock(name: string): void; waitFor(look: Work): Promise<void> };
`;

const HELPERS = `
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from './vitest.ts';
export interface Stage { holds(value: number): void; looks(value: number): void }
export const createStage = (): Stage => ({
  holds(value) { expect(value).toBe(1); },
  looks: (value) => void value,
});
export const isOne = (value: number): void => expect(value).toBe(1);
export const expectCalled = (spy: unknown): void => expect(spy).toHaveBeenCalledOnce();
export function throughAnother(): void { isOne(1); }
export function endless(times: number): void { endless(times - 1); }
await sleep(1); // SLEEPS
`;

const TIMERS = `
export declare function createSystemClock(): { sleep(ms: number): Promise<void> };
export const machine = createSystemClock();
`;

/** Exactly the lines with a comment are reported. */
const CASES = `
import { setTimeout } from 'node:timers/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createStage, endless, expectCalled, isOne, throughAnother } from './helpers.ts';
import { machine } from './timers.ts';
import { expect, it, test, vi } from './vitest.ts';
const { holds } = createStage();
const stage = createStage();
const stepped = { sleep: async (ms: number) => void ms };

it('expects', () => expect(1).toBe(1));
it('has options', { timeout: 1 }, () => expect(1).toBe(1));
test.each([1])('asks for each', (row) => expect(row).toBe(1));
it('asks a helper', () => isOne(1));
it('gives a helper away', () => vi.waitFor(throughAnother));
it('is a helper', throughAnother);
it('asks a member', () => stage.holds(1));
it('asks one that was taken out', () => holds(1));
it('polls', () => expect.poll(() => 1).toBe(1));
test.store.run('is no case', () => {});
it('does nothing', () => {}); // EXPECTS_NOTHING
it('has options', { timeout: 1 }, () => {}); // EXPECTS_NOTHING
test.each([1])('asks nothing', () => {}); // EXPECTS_NOTHING
it.skipIf(false)('asks nothing', () => {}); // EXPECTS_NOTHING
it('forgets the matcher', () => { expect(1); }); // EXPECTS_NOTHING
it('only describes', () => expect.objectContaining({})); // EXPECTS_NOTHING
it('asks a helper that asks itself', () => endless(1)); // EXPECTS_NOTHING
it('asks a member that expects nothing', () => stage.looks(1)); // EXPECTS_NOTHING

const spy = vi.fn();
it('looks at a mock and at what came of it', () => { expect(spy).toHaveBeenCalledOnce(); expect(1).toBe(1); });
it('looks at a mock', () => expect(spy).toHaveBeenCalledOnce()); // MOCKS_ONLY
it('looks at a mock', () => expect(spy).not.toHaveBeenCalledOnce()); // MOCKS_ONLY
it('looks at calls', () => expect(spy.mock.calls).toBe(1)); // MOCKS_ONLY
it('has a mock looked at', () => expectCalled(spy)); // MOCKS_ONLY
vi.mock('./helpers.ts'); // REPLACES

it('goes on', () => {
  const inner = () => { return; };
  expect(inner()).toBe(undefined);
  return;
});
it('does not', () => {
  if (spy.mock.calls.length === 0) return; // ENDS_EARLY
  expect(1).toBe(1);
});

await stepped.sleep(1);
globalThis.setTimeout(() => {}, 1);
await setTimeout(1); // SLEEPS
await sleep(1); // SLEEPS
await machine.sleep(1); // SLEEPS
for (;;) await sleep(1); // SLEEPS
`;

const GLOBAL = `
setTimeout(() => {}, 1);
await new Promise((resolve) => setTimeout(resolve, 1)); // SLEEPS
export {};
`;

const SCRIPT = `
import { setTimeout as sleep } from 'node:timers/promises';
await sleep(1); // SLEEPS
while (Math.random() > 0.5) await sleep(1);
await Promise.race([sleep(1), new Promise(() => {})]);
for (const each of [1]) {
  const wait = async (): Promise<void> => { await sleep(each); };
  await wait();
}
async function wait(): Promise<void> {
  await sleep(1); // SLEEPS
}
await wait();
`;
const PACED = `import { setTimeout as sleep } from 'node:timers/promises';
await sleep(1);
`;
const IDLE = 'export {}; // PACES_NOTHING\n';

const FILES: Record<string, string> = {
  ...{ 'vitest.ts': VITEST, 'helpers.ts': HELPERS, 'timers.ts': TIMERS, 'cases.test.ts': CASES },
  ...{ 'global.test.ts': GLOBAL, 'script.ts': SCRIPT, 'paced.ts': PACED, 'idle.ts': IDLE },
};
const MESSAGES: Record<string, string> = {
  ...{ EXPECTS_NOTHING, MOCKS_ONLY, ENDS_EARLY, REPLACES, SLEEPS, PACES_NOTHING },
};

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-weak-tests-')));
  const compilerOptions = {
    ...{ target: 'es2025', lib: ['es2025'], module: 'nodenext', types: ['node'], strict: true, noEmit: true },
    typeRoots: [path.join(import.meta.dirname, '../../../node_modules/@types')],
    allowImportingTsExtensions: true,
  };
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  for (const [name, source] of Object.entries(FILES)) writeFileSync(path.join(folder, name), source);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('tests that cannot fail, or that fail on a slow machine', () => {
  const scripts = ['script.ts', 'paced.ts', 'idle.ts'];

  it.each(['cases.test.ts', 'helpers.ts', 'global.test.ts', ...scripts])('are found in %s', (name) => {
    const expected = (FILES[name] ?? '').split('\n').flatMap((line, index) => {
      const [, kind = ''] = /\/\/ ([A-Z_]+)$/.exec(line) ?? [];
      return kind ? [{ line: index + 1, message: MESSAGES[kind] }] : [];
    });
    const found = findWeakTests(folder, ['tsconfig.json'], {
      isTest: (file) => file === name && !scripts.includes(name),
      isScript: (file) => file === name,
      mayPace: (file) => file === 'paced.ts' || file === 'idle.ts',
    });
    expect(found.map(({ line, message }) => ({ line, message }))).toEqual(expected);
  });
});
