import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const PORTAL = 'packages/portal';
/** All that the pages are made of: they use the contract's own schemas and limits, and look like the API reference. */
const SOURCES = [
  `${PORTAL}/{index.html,package.json,vite.config.ts,tsconfig.json}`,
  `${PORTAL}/{src,build}/**/*`,
  'packages/contract/src/**/*.ts',
  'packages/gateway/src/reference/assets/{theme.css,mark.svg}',
  'package-lock.json',
];
const VITE = path.join(ROOT, 'node_modules/vite/bin/vite.js');
const STAMP = '.built-from';

/** Says what the sources are at the moment: another content or another name gives another answer. */
export function fingerprint(root: string, patterns: readonly string[] = SOURCES): string {
  const hash = createHash('sha256');
  const files = globSync(patterns, { cwd: root }).sort();
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

/** Builds the portal's pages, unless they are built from these very sources already. Runs before `npm start` and takes no time then. */
function build(): void {
  const folder = path.join(ROOT, PORTAL, 'dist');
  const sources = fingerprint(ROOT);
  // An install for production has no sources or no tools: what it was given is served.
  const canBuild = existsSync(path.join(ROOT, PORTAL, 'index.html')) && existsSync(VITE);
  if (!canBuild || isBuiltFrom(folder, sources)) return;
  // Built aside, so that whoever is served meanwhile gets the old pages whole.
  const aside = `${folder}-${process.pid}`;
  const { status } = spawnSync(
    process.execPath,
    [VITE, 'build', path.join(ROOT, PORTAL), '--outDir', aside, '--logLevel', 'warn'],
    { stdio: 'inherit' },
  );
  if (status !== 0) {
    rmSync(aside, { recursive: true, force: true });
    process.exitCode = 1;
    return;
  }
  writeFileSync(path.join(aside, STAMP), sources);
  rmSync(folder, { recursive: true, force: true });
  renameSync(aside, folder);
}

if (import.meta.main) build();
