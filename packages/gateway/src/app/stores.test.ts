import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCommands, loadReadings } from '../platform/store/sqlite/handlers.ts';
import { findModules } from './stores.ts';

const ROOT = path.dirname(import.meta.dirname);
const SOURCES = globSync('**/*.ts', { cwd: ROOT }).filter(
  (file) => !file.endsWith('.test.ts') && !file.split(path.sep).includes('testing'),
);

/** The constants of the production code that are declared with this type. */
async function declaredAs(type: 'Command' | 'Reading'): Promise<unknown[]> {
  const declaration = new RegExp(`^export const (\\w+): ${type}<`, 'gm');
  const found = SOURCES.map((file) => path.join(ROOT, file)).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(declaration)].map(([, name = '']) => ({ file, name })),
  );
  return Promise.all(found.map(async ({ file, name }) => (await import(file))[name]));
}

const hrefs = (urls: readonly URL[]) => urls.map(({ href }) => href);

describe('the threads of the embedded database', () => {
  it('know every command that a room declares', async () => {
    const declared = await declaredAs('Command');
    expect(declared.length).toBeGreaterThan(15);
    const known = [...(await loadCommands(hrefs(findModules('write-commands')))).values()];
    expect(new Set(known)).toEqual(new Set(declared));
  });

  it('know every reading that a room declares', async () => {
    const declared = await declaredAs('Reading');
    expect(declared.length).toBeGreaterThan(0);
    const known = [...(await loadReadings(hrefs(findModules('readings')))).values()];
    expect(new Set(known)).toEqual(new Set(declared));
  });
});
