import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { makeTemporaryFolder } from '../test/services/cleanup.ts';

const PACKAGES = '@parley';

export interface ScratchCopy {
  readonly path: string;
  write(file: string, text: string): void;
  [Symbol.dispose](): void;
}

/** Copy of the working tree in a new folder, with the libraries of this one and its own packages. */
export function makeScratchCopy(root: string): ScratchCopy {
  const folder = makeTemporaryFolder('parley-copy-');
  for (const file of filesOf(root)) {
    mkdirSync(dirname(join(folder.path, file)), { recursive: true });
    cpSync(join(root, file), join(folder.path, file), { verbatimSymlinks: true });
  }
  linkLibraries(join(root, 'node_modules'), join(folder.path, 'node_modules'));
  return {
    path: folder.path,
    write: (file, text) => writeFileSync(join(folder.path, file), text),
    [Symbol.dispose]: () => folder.remove(),
  };
}

/** Tracked and untracked files, without deleted ones. */
function filesOf(root: string): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync('git', ['ls-files', '-z', ...args], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
      .split('\0')
      .filter(Boolean);
  const deleted = new Set(git('--deleted'));
  return git('--cached', '--others', '--exclude-standard').filter((file) => !deleted.has(file));
}

function linkLibraries(from: string, to: string): void {
  mkdirSync(join(to, PACKAGES), { recursive: true });
  for (const name of readdirSync(from)) if (name !== PACKAGES) symlinkSync(join(from, name), join(to, name));
  const packages = join(dirname(to), 'packages');
  for (const name of readdirSync(packages))
    symlinkSync(relative(join(to, PACKAGES), join(packages, name)), join(to, PACKAGES, name));
}
