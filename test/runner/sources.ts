import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { SERVICE_VARIABLES, type ServiceName, serviceNames } from './suites.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Where a test of vitest, or a suite that several tests share, can be written. */
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

/** The services that these files or anything that they import speaks of. */
export function servicesOf(files: readonly string[]): ServiceName[] {
  const texts = [...reachable(files)].map(read);
  return serviceNames.filter((name) => texts.some((text) => text.includes(SERVICE_VARIABLES[name])));
}

/** The test files with this text in a title, be it in a suite that they share with others. */
export function testFilesWithTitle(title: string): string[] {
  const speaking = sources().filter((path) => hasTitle(read(path), title));
  const tests = speaking.filter(isTest);
  if (tests.length > 0) return tests;
  const shared = speaking.filter((path) => /\b(?:it|describe)\b/.test(read(path)));
  return shared.length === 0
    ? []
    : testFiles().filter((test) => !reachable([test]).isDisjointFrom(new Set(shared)));
}

let found: string[] | undefined;
/** All files in which a test of vitest, or something that it tries, can be written. */
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

/** A title is what a call begins with. It has these words in it, or is a part of them: vitest puts the title of a group before it. */
function hasTitle(text: string, title: string): boolean {
  return [...text.matchAll(/\(\s*(['"`])((?:\\.|(?!\1)[^\\\n])+)\1/g)].some(([, , string = '']) => {
    const plain = string.replace(/\\(.)/g, '$1');
    return plain.includes(title) || isPartOf(title, plain);
  });
}

/** In a template `%s`, `$name` and `${…}` stand for anything; one of them alone says nothing. */
function isPartOf(title: string, template: string): boolean {
  const fixed = template.split(/\$\{[^}]*\}|%[a-z]|\$\w+/);
  if (!/\w+ \w+/.test(fixed.join(''))) return false;
  return new RegExp(fixed.map((part) => RegExp.escape(part)).join('.*')).test(title);
}

/** The files and all that they import from this repository, by whatever way. */
function reachable(files: readonly string[]): Set<string> {
  const seen = new Set(files);
  for (const path of seen) for (const imported of importsOf(path)) seen.add(imported);
  return seen;
}

const imports = new Map<string, string[]>();
/** What a file imports from this repository, by whatever way. */
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
  return [`${source}/index.ts`, `${source}.ts`].find(exists) ?? 'a door that does not exist';
}
