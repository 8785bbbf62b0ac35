import { basename, dirname, join, relative } from 'node:path';
import { NIGHTLY } from './nightly.ts';
import { exists, isTest, servicesOf, testFiles, testFilesWithTitle, testsAround } from './sources.ts';
import { type ServiceName, type Suite, suites } from './suites.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A suite, or a part of it. */
export interface Selection {
  readonly suite: Suite;
  /** Test files to run; empty for all. */
  readonly files: readonly string[];
  /** Required part of a test's full title. */
  readonly title?: string;
  readonly services: readonly ServiceName[];
}

/** Resolves the words: suites and paths, or else the title of a test. */
export function select(words: readonly string[], from = ROOT): Selection[] {
  const meant = words.map((word) => suiteNamed(word) ?? atPath(word, from) ?? inFileNamed(word));
  if (meant.every((selections) => selections !== undefined)) return together(meant.flat());
  const title = words.join(' ');
  const byTitle = inFiles(testFilesWithTitle(title)).map((selection) => ({ ...selection, title }));
  if (byTitle.length > 0) return byTitle;
  throw new Error(
    `There is no suite, path or test called “${words.join(' ')}”. The suites are ${suites.map(({ name }) => name).join(', ')}; ` +
      'a path is that of a file or folder, from here; a test is called by any words of its title.',
  );
}

function whole(suite: Suite): Selection {
  return { suite, files: [], services: suite.services };
}

function suiteNamed(word: string): Selection[] | undefined {
  if (word === NIGHTLY) return suites.filter(({ apart }) => !apart).map(whole);
  const suite = suites.find(({ name }) => name === word);
  return suite && [whole(suite)];
}

function atPath(word: string, from: string): Selection[] | undefined {
  const path = [from, ROOT].map((folder) => relative(ROOT, join(folder, word))).find(exists);
  if (path === undefined || path === '' || path.startsWith('..')) return undefined;
  const below = suitesWith((folder) => isWithin(folder, path));
  if (below.length > 0) return below;
  const tests = testsAt(path);
  if (tests.length > 0) return inFiles(tests);
  const around = suitesWith((folder) => isWithin(path, folder));
  if (around.length > 0) return around;
  const beside = suitesWith((folder) => dirname(path) !== 'test' && isWithin(folder, dirname(path)));
  return beside.length > 0 ? beside : undefined;
}

/** Whole-system suites by folder; unit tests are selected by file. */
function suitesWith(isMeant: (folder: string) => boolean): Selection[] {
  return suites.filter(({ name, folders }) => name !== 'unit' && folders.some(isMeant)).map(whole);
}

/** A test file, the one beside a file, those around a file without one, or all of a folder. */
function testsAt(path: string): string[] {
  if (isTest(path)) return [path];
  const twin = path.replace(/\.tsx?$/, '.test.ts');
  if (twin === path) return testFiles(path);
  return exists(twin) ? [twin] : testsAround(path);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function inFileNamed(word: string): Selection[] | undefined {
  const named = testFiles().filter((path) => basename(path).replace('.test.ts', '') === fileName(word));
  return named.length > 0 ? inFiles(named) : undefined;
}

const fileName = (word: string): string => word.replace(/(?:\.test)?\.tsx?$/, '');

function inFiles(files: readonly string[]): Selection[] {
  return suites.flatMap((suite) => {
    const own = files.filter((file) => suite.folders.some((folder) => isWithin(file, folder)));
    if (own.length === 0) return [];
    const services = suite.name === 'unit' ? servicesOf(own) : suite.services;
    return [{ suite, files: own, services }];
  });
}

/** Merges the selections of one suite into one run. */
function together(selections: readonly Selection[]): Selection[] {
  return [...Map.groupBy(selections, ({ suite }) => suite)].map(([suite, parts]) =>
    parts.some(({ files }) => files.length === 0)
      ? whole(suite)
      : {
          suite,
          files: parts.flatMap(({ files }) => files),
          services: [...new Set(parts.flatMap(({ services }) => services))],
        },
  );
}
