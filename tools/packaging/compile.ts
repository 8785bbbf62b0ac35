import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const ROOT = path.join(import.meta.dirname, '../..');

interface Compilation {
  /** With TypeScript. */
  readonly sources: string;
  readonly into: string;
  readonly options?: Readonly<Record<string, unknown>>;
  /** Type declarations of packages that are already compiled. */
  readonly paths?: Readonly<Record<string, readonly string[]>>;
}

/** Compiles to JavaScript with types and source maps that contain the sources, without tests and their helpers. */
export function compile({ sources, into, options = {}, paths = {} }: Compilation): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-compile-'));
  const project = path.join(folder, 'tsconfig.json');
  const tests = ['**/*.test.ts', '**/testing', '**/*.fixture.ts'].map((each) => path.join(sources, each));
  const compilerOptions = {
    rootDir: sources,
    outDir: into,
    noEmit: false,
    declaration: true,
    sourceMap: true,
    inlineSources: true,
    rewriteRelativeImportExtensions: true,
    removeComments: false,
    typeRoots: [path.join(ROOT, 'node_modules/@types')],
    paths,
    ...options,
  };
  const include = [path.join(sources, '**/*.ts')];
  writeFileSync(
    project,
    JSON.stringify({ extends: path.join(ROOT, 'tsconfig.json'), compilerOptions, include, exclude: tests }),
  );
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8' });
  rmSync(folder, { recursive: true, force: true });
  if (status !== 0) throw new Error(`${sources} could not be compiled:\n${stdout}`);
  // The compiler rewrites imports of modules, but not of their types.
  for (const types of globSync(path.join(into, '**/*.d.ts')))
    writeFileSync(
      types,
      readFileSync(types, 'utf8').replace(/((?:from|import\() ?'\.[^']+)\.ts'/g, "$1.js'"),
    );
}
