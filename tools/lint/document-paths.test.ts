import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const GATEWAY = 'packages/gateway/src';
/** Histories: they name files as they were then. */
const HISTORIES = /^CHANGELOG\.md$|^docs\/evidence\//;
/** Files of the library that a decision compares with. */
const OF_OTHERS = ['builders/shortcake.ts'];
/** Made by a build or a tool, which need not have run. */
const BUILT = /(?:^|\/)(?:dist|\.cache)(?:\/|$)/;
const DOCUMENTS = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: ROOT })
  .filter((file) => !HISTORIES.test(file))
  .sort();
const FOLDERS = globSync('*/', { cwd: ROOT }).map((name) => name.replace(/\/$/, ''));

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Paths in code spans: from the root of the repository, or source files. */
function pathsIn(text: string): string[] {
  const spans = [...text.matchAll(/`([\w.@-]+(?:\/[\w.@-]+)+)\/?`/g)].map(([, path = '']) => path);
  const named = spans.filter((path) => !BUILT.test(path));
  return named.filter((path) => FOLDERS.includes(path.split('/')[0] ?? '') || /\.tsx?$/.test(path));
}

const SOURCES = globSync('{packages,test,tools,bench,examples}/**/*.{ts,tsx}', {
  cwd: ROOT,
  exclude: ['**/node_modules/**'],
});

/** A source file may be named by the end of its path, which the text around makes unique. */
function exists(path: string): boolean {
  return (
    existsSync(join(ROOT, path)) || SOURCES.some((file) => file.endsWith(`/${path.replace(/^\.\//, '')}`))
  );
}

describe('a document', () => {
  it.each(DOCUMENTS)('%s names files that exist', (file) => {
    const missing = pathsIn(read(file)).filter((path) => !exists(path) && !OF_OTHERS.includes(path));
    expect(missing).toEqual([]);
  });

  it('of this repository names some', () => {
    expect(DOCUMENTS.flatMap((file) => pathsIn(read(file))).length).toBeGreaterThan(300);
  });
});

describe('the lives that ARCHITECTURE.md describes', () => {
  const steps = [...read('ARCHITECTURE.md').matchAll(/`([\w/.-]+\.ts)` `(\w+)`/g)];

  it('have their steps', () => {
    expect(steps.length).toBeGreaterThan(25);
  });

  it.each(steps.map(([, file = '', name = '']) => [file, name] as const))('%s declares %s', (file, name) => {
    const declaration = new RegExp(`\\b(?:function|const|class|interface|type) ${name}\\b`);
    expect(read(`${GATEWAY}/${file}`)).toMatch(declaration);
  });
});
