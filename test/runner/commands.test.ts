import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { select } from './select.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const documents = globSync(['*.md', '{docs,examples}/**/*.md', 'packages/*/README.md'], { cwd: ROOT });

/** All matches in the documents, with the document of each. */
function said(pattern: RegExp): (readonly [file: string, words: string])[] {
  return documents.flatMap((file) =>
    [...read(file).matchAll(pattern)].map(([, words = '']) => [file, words] as const),
  );
}

describe('a command in the documentation', () => {
  it.each(said(/\bnpm run (?:--silent )?(\w[\w:-]*)\b(?! -w)/g))('%s: npm run %s exists', (_file, name) => {
    expect(Object.keys(scripts)).toContain(name);
  });

  it.each(said(/\bnpm test -- ([\w./-]+(?: (?!-)[\w./-]+)*)/g))(
    '%s: npm test -- %s runs something',
    (_file, words) => {
      expect(words === '--help' || select(words.split(' ')).length > 0).toBe(true);
    },
  );

  it('never passes our sources to the Node.js of the machine, which may be too old for them', () => {
    expect(said(/\bnode ((?:test|bench|tools|examples|packages)\/\S+\.ts)/g)).toEqual([]);
  });
});
