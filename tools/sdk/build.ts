import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGE = join(ROOT, 'packages/sdk');

/** Makes the folder that is published: plain JavaScript with its types, and a manifest that points there. Gives the folder. */
export function build(folder = join(PACKAGE, 'dist')): string {
  rmSync(folder, { recursive: true, force: true });
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const args = ['-p', join(PACKAGE, 'tsconfig.build.json'), '--outDir', folder];
  const { status } = spawnSync(process.execPath, [tsc, ...args], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the SDK could not be compiled');
  for (const types of globSync(join(folder, '**/*.d.ts'))) withPublishedNames(types);
  // What is private is the workspace's copy: nobody shall publish sources by mistake.
  const manifestOfSources = readFileSync(join(PACKAGE, 'package.json'), 'utf8');
  const { private: _, scripts: __, exports, ...manifest } = JSON.parse(manifestOfSources);
  const published = { ...manifest, exports: publishedExports(exports), engines: { node: '>=20' } };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  for (const file of ['LICENSE', 'README.md']) copyFileSync(join(PACKAGE, file), join(folder, file));
  return folder;
}

/** The compiler renames what modules import, but not what their types do. */
function withPublishedNames(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(from '\.[^']+)\.ts'/g, "$1.js'"));
}

/** `./src/index.ts` in the workspace is `./index.js` in the package. */
function publishedExports(exports: Record<string, string>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(exports).map(([name, source]) => {
      const module = source.replace('./src/', './').replace(/\.ts$/, '');
      return [name, { types: `${module}.d.ts`, default: `${module}.js` }];
    }),
  );
}

if (import.meta.main) build();
