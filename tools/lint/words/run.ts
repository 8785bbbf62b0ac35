import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { avoidedWords } from './words.ts';

/** Refuses avoided words in names, comments, titles of tests, documents and texts of the portal. */
const ROOT = path.join(import.meta.dirname, '../../..');
const READ = /\.(?:md|tsx?|css|cjs|ya?ml)$|^deploy\/.*\.json$/;
/** Generated files, records of the past, and the list itself. */
const LEFT_OUT =
  /^(?:CHANGELOG\.md|docs\/(?:VOICE\.md|evidence\/|adr\/)|tools\/lint\/words\/|packages\/sdk\/src\/generated\/)/;

const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => READ.test(file) && !LEFT_OUT.test(file));

for (const file of files) {
  for (const [index, line] of readFileSync(path.join(ROOT, file), 'utf8').split('\n').entries()) {
    for (const { word, write } of avoidedWords(line)) {
      process.exitCode = 1;
      console.error(`${file}:${index + 1}: “${word}” (docs/VOICE.md). Write: ${write}`);
    }
  }
}
