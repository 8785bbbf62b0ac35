import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

test('every file in the list exists', () => {
  const source = readFileSync(join(import.meta.dirname, 'longest-first.ts'), 'utf8');
  const named = [...source.matchAll(/'([\w./-]+\.test\.ts)'/g)].map(([, file]) => file);
  expect(named.length).toBeGreaterThan(0);
  const files = globSync('{packages,test}/**/*.test.ts', { cwd: ROOT, exclude: ['**/node_modules/**'] });
  expect(named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
});
