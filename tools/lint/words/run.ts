import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { avoidedWords } from './words.ts';

/**
 * How often each folder may still use words of our own dialect: as often as it does today, and no more. `--write` takes today's counts,
 * after words were replaced.
 */
const ROOT = path.join(import.meta.dirname, '../../..');
const BUDGET = path.join(import.meta.dirname, 'budget.json');
const READ = /\.(?:md|tsx?)$/;
/** What is generated, what was written before, and the list itself. */
const LEFT_OUT =
  /^(?:CHANGELOG\.md|docs\/(?:VOICE\.md|evidence\/|adr\/)|tools\/lint\/words\/|packages\/sdk\/src\/generated\/)/;

const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => READ.test(file) && !LEFT_OUT.test(file));

/** `packages/gateway/src/webhooks`, `test/chaos`, `docs` */
function folderOf(file: string): string {
  const parts = file.split('/').slice(0, -1);
  return parts.slice(0, parts[0] === 'packages' ? 4 : 2).join('/') || '.';
}

const found = new Map<string, Map<string, number>>();
for (const file of files) {
  const folder = folderOf(file);
  const words = found.get(folder) ?? new Map<string, number>();
  for (const { word, write } of avoidedWords(readFileSync(path.join(ROOT, file), 'utf8'))) {
    const line = `${word}: ${write}`;
    words.set(line, (words.get(line) ?? 0) + 1);
  }
  found.set(folder, words);
}
const counts = Object.fromEntries(
  [...found]
    .map(([folder, words]) => [folder, [...words.values()].reduce((sum, count) => sum + count, 0)] as const)
    .filter(([, count]) => count > 0)
    .toSorted(([one], [other]) => (one < other ? -1 : 1)),
);

if (process.argv.includes('--write')) writeFileSync(BUDGET, `${JSON.stringify(counts, null, 2)}\n`);
const budget: Record<string, number> = JSON.parse(readFileSync(BUDGET, 'utf8'));
for (const [folder, count] of Object.entries(counts)) {
  const allowed = budget[folder] ?? 0;
  if (count <= allowed) continue;
  process.exitCode = 1;
  console.error(`${folder}: ${count} words to avoid in place of ${allowed} (docs/VOICE.md). It has:`);
  for (const [line, times] of found.get(folder) ?? []) console.error(`  ${times} × ${line}`);
}
