import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');
const STAMP = '.built-from';
// The launcher checks the same files, in JavaScript that any Node.js can run.
const { OF_TESTS } = createRequire(import.meta.url)('../../packages/gateway/bin/parley.cjs') as {
  OF_TESTS: RegExp;
};

function sourcesIn(root: string, patterns: readonly string[]): string[] {
  return globSync(patterns, { cwd: root }).filter((file) => !OF_TESTS.test(file));
}

/** Fingerprint of the sources' names and contents. */
export function fingerprint(root: string, patterns: readonly string[]): string {
  const hash = createHash('sha256');
  const files = sourcesIn(root, patterns).sort();
  for (const file of files.filter((each) => statSync(path.join(root, each)).isFile())) {
    const content = createHash('sha256').update(readFileSync(path.join(root, file)));
    hash.update(`${file.replaceAll(path.sep, '/')} ${content.digest('hex')}\n`);
  }
  return hash.digest('hex');
}

export function isBuiltFrom(folder: string, sources: string): boolean {
  const stamp = path.join(folder, STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sources;
}

/** Runs `build` into `folder` unless it is up to date with these sources. */
export async function refresh(
  folder: string,
  patterns: readonly string[],
  build: (aside: string) => Promise<void> | void,
): Promise<void> {
  if (isUntouched(folder, patterns)) return;
  const sources = fingerprint(ROOT, patterns);
  if (isBuiltFrom(folder, sources)) return touch(folder, sources);
  // Built in another folder and renamed, so that readers never see a partial build.
  const aside = `${folder}-${process.pid}`;
  try {
    await build(aside);
    touch(aside, sources);
    rmSync(folder, { recursive: true, force: true });
    renameSync(aside, folder);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** Whether no file was written since the last check, so that none must be read. Removed files change the time of their folder. */
function isUntouched(folder: string, patterns: readonly string[]): boolean {
  const known = statSync(path.join(folder, STAMP), { throwIfNoEntry: false });
  if (!known) return false;
  const files = sourcesIn(ROOT, patterns);
  return files.every((file) => {
    const found = statSync(path.join(ROOT, file), { throwIfNoEntry: false });
    return found && Math.max(found.mtimeMs, found.ctimeMs) < known.mtimeMs;
  });
}

/** The stamp's time is that of the last check. */
function touch(folder: string, sources: string): void {
  writeFileSync(path.join(folder, STAMP), sources);
}
