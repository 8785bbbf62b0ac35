import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { SERVICE_VARIABLES, type ServiceName, serviceNames } from './suites.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Folders with tests of vitest, or with suites that several tests share. */
const SOURCES = [
  'packages/*/src/**/*.{ts,tsx}',
  'tools/**/*.ts',
  'test/{conformance,cluster,runner}/**/*.ts',
];

export const isTest = (path: string): boolean => path.endsWith('.test.ts');

export function exists(path: string): boolean {
  return existsSync(join(ROOT, path));
}

/** Test files of vitest below a folder, or all of them. */
export function testFiles(folder = '.'): string[] {
  return sources().filter((path) => isTest(path) && (folder === '.' || path.startsWith(`${folder}/`)));
}

/** Services mentioned in these files or their imports. */
export function servicesOf(files: readonly string[]): ServiceName[] {
  const texts = [...reachable(files)].map(read);
  return serviceNames.filter((name) => texts.some((text) => text.includes(SERVICE_VARIABLES[name])));
}

/** Test files with this text in a title, also in a suite that they share with others. */
export function testFilesWithTitle(title: string): string[] {
  const speaking = sources().filter((path) => hasTitle(read(path), title));
  const tests = speaking.filter(isTest);
  if (tests.length > 0) return tests;
  const shared = speaking.filter((path) => /\b(?:it|describe)\b/.test(read(path)));
  return shared.length === 0
    ? []
    : testFiles().filter((test) => !reachable([test]).isDisjointFrom(new Set(shared)));
}

/**
 * Tests of a file that has none beside it: the whole-system test of the same name, and those that import it or else those of its folder.
 * A room's `index.ts` and `types.ts` belong to their folder, although half of all tests import them.
 */
export function testsAround(path: string): string[] {
  const name = basename(path).replace(/\.tsx?$/, '');
  const named = testFiles('test').filter((test) => basename(test) === `${name}.test.ts`);
  const isShared = name === 'index' || name === 'types';
  const importing = isShared ? [] : testFiles().filter((test) => importsOf(test).includes(path));
  return [...new Set([...named, ...(importing.length > 0 ? importing : testFiles(dirname(path)))])];
}

let found: string[] | undefined;
/** All files that may contain a test of vitest, or code of one. */
export function sources(): string[] {
  found ??= globSync(SOURCES, { cwd: ROOT }).sort();
  return found;
}

const texts = new Map<string, string>();
function read(path: string): string {
  const text = texts.get(path) ?? readFileSync(join(ROOT, path), 'utf8');
  texts.set(path, text);
  return text;
}

/**
 * A title is the first argument of a call. It contains these words, or is contained in them: vitest puts the title of a group
 * before it.
 */
function hasTitle(text: string, title: string): boolean {
  return [...text.matchAll(/\(\s*(['"`])((?:\\.|(?!\1)[^\\\n])+)\1/g)].some(([, , string = '']) => {
    const plain = string.replace(/\\(.)/g, '$1');
    return plain.includes(title) || isPartOf(title, plain);
  });
}

/** In a template `%s`, `$name` and `${…}` match anything; a template of one placeholder is ignored. */
function isPartOf(title: string, template: string): boolean {
  const fixed = template.split(/\$\{[^}]*\}|%[a-z]|\$\w+/);
  if (!/\w+ \w+/.test(fixed.join(''))) return false;
  return new RegExp(fixed.map((part) => RegExp.escape(part)).join('.*')).test(title);
}

/** The files and all their imports from this repository, of every form. */
export function reachable(files: readonly string[]): Set<string> {
  const seen = new Set(files);
  for (const path of seen) for (const imported of importsOf(path)) seen.add(imported);
  return seen;
}

const imports = new Map<string, string[]>();
/** The imports of a file from this repository, of every form. */
export function importsOf(path: string): string[] {
  const known = imports.get(path);
  if (known) return known;
  const names = [...read(path).matchAll(/(?:\bfrom|\bimport\(?|\bURL\()\s*'([^']+)'/g)];
  const resolved = names.map(([, name = '']) => resolve(path, name)).filter(exists);
  imports.set(path, resolved);
  return resolved;
}

function resolve(importer: string, name: string): string {
  if (name.startsWith('.') && name.endsWith('.ts')) return normalize(join(dirname(importer), name));
  const [, workspace, door = ''] = /^@parley\/([^/]+)(.*)/.exec(name) ?? [];
  if (!workspace && !name.startsWith('#')) return 'another package';
  const source = workspace ? `packages/${workspace}/src${door}` : `packages/gateway/src/${name.slice(1)}`;
  const inPlatform = `packages/${workspace}/src/platform${door}/index.ts`;
  return [`${source}/index.ts`, `${source}.ts`, inPlatform].find(exists) ?? 'a door that does not exist';
}
