import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeTemporaryFolder } from '../../test/services/cleanup.ts';
import { filesOfRoom, inOrderOf, mutantByHand, mutantsOf } from './mutants.ts';
import { openTypeCheck } from './type-check.ts';

const OPTIONS = { strict: true, noUnusedLocals: true, noEmit: true, types: [] };
const SOURCE = `import { join } from './join.ts';

export function name(first: string | undefined, last: string): string {
  if (first === undefined) return last;
  return join(first.trim(), last);
}
`;

function folderWith(files: Record<string, string>): string {
  const folder = makeTemporaryFolder('parley-mutants-');
  onTestFinished(() => folder.remove());
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(folder.path, file, '..'), { recursive: true });
    writeFileSync(join(folder.path, file), text);
  }
  return folder.path;
}

it('resolves a room to a folder of the gateway, a package or a path, without test files', () => {
  const root = folderWith({
    'packages/gateway/src/platform/mail/outbox.ts': '',
    'packages/gateway/src/platform/mail/sender.test.ts': '',
    'packages/gateway/src/platform/mail/testing/inbox.ts': '',
    'packages/sdk/src/call.ts': '',
  });
  expect(filesOfRoom(root, 'platform/mail')).toEqual(['packages/gateway/src/platform/mail/outbox.ts']);
  expect(filesOfRoom(root, 'platform/mail/outbox.ts')).toEqual([
    'packages/gateway/src/platform/mail/outbox.ts',
  ]);
  expect(filesOfRoom(root, 'sdk')).toEqual(['packages/sdk/src/call.ts']);
  expect(() => filesOfRoom(root, 'cellar')).toThrow('There is no room cellar');
});

it('chooses the same mutants for a seed, also when others are added', () => {
  const root = folderWith({ 'a.ts': 'f(1);\nf(a < b);\n', 'b.ts': 'g(2 + x);\n' });
  const [ofA, ofB] = [mutantsOf(root, 'a.ts'), mutantsOf(root, 'b.ts')];
  const alone = inOrderOf(7, ofA);
  expect(inOrderOf(7, [...ofB, ...ofA]).filter(({ file }) => file === 'a.ts')).toEqual(alone);
  expect(new Set([1, 2, 3, 4].map((seed) => inOrderOf(seed, ofA)[0]?.after)).size).toBeGreaterThan(1);
});

it('records the line of a mutant, which may be written by hand', () => {
  const root = folderWith({ 'a.ts': 'f(1);\n  f(a < b);\n' });
  expect(mutantsOf(root, 'a.ts')).toContainEqual(
    expect.objectContaining({
      line: 2,
      before: 'f(a < b);',
      after: 'f(a <= b);',
      source: 'f(1);\n  f(a <= b);\n',
    }),
  );
  expect(mutantByHand(root, 'a.ts', 2, '  f(b < a);').source).toBe('f(1);\n  f(b < a);\n');
  expect(() => mutantByHand(root, 'a.ts', 9, '')).toThrow('a.ts has no line 9.');
});

it('keeps mutants that compile, also with unused names', () => {
  const root = folderWith({
    'tsconfig.json': JSON.stringify({
      compilerOptions: { ...OPTIONS, module: 'nodenext', allowImportingTsExtensions: true },
    }),
    'join.ts': 'export const join = (...parts: string[]): string => parts.join(" ");',
    'name.ts': SOURCE,
  });
  const check = openTypeCheck(root);
  onTestFinished(() => check.close());
  expect(check.compiles('name.ts', SOURCE)).toBe(true);
  expect(check.compiles('name.ts', SOURCE.replace('first === undefined', 'false'))).toBe(false);
  expect(check.compiles('name.ts', SOURCE.replace('join(first.trim(), last)', 'first'))).toBe(true);
  expect(check.compiles('name.ts', SOURCE.replace('return last', 'return'))).toBe(false);
  expect(check.compiles('name.ts', SOURCE.replace('}', ''))).toBe(false);
  expect(check.compiles('join.ts', 'export const join = (): string => "";')).toBe(true);
  expect(check.compiles('name.ts', SOURCE)).toBe(true);
});
