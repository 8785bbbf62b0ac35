import { dirname } from 'node:path';
import { importsOf, isTest, sources } from '../../test/runner/sources.ts';

/** Files of the unit tests. */
const UNIT = /^(?:packages|tools)\//;

/**
 * Test files that import a file, directly or not, nearest first: the one beside it, its neighbours, those of its room, then the
 * others.
 */
export function nearestTests(file: string, importers = importersOfAll()): string[] {
  const distances = distancesFrom(file, importers);
  const tests = [...distances.keys()].filter((path) => isTest(path) && UNIT.test(path));
  return tests.sort(
    (one, other) =>
      kinship(one, file) - kinship(other, file) ||
      (distances.get(one) ?? 0) - (distances.get(other) ?? 0) ||
      (one < other ? -1 : 1),
  );
}

/** Importers of each file. */
function importersOfAll(): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const path of sources())
    for (const imported of importsOf(path))
      importers.set(imported, [...(importers.get(imported) ?? []), path]);
  return importers;
}

function distancesFrom(file: string, importers: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const distances = new Map([[file, 0]]);
  for (const [path, distance] of distances)
    for (const importer of importers.get(path) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1);
  return distances;
}

function kinship(test: string, file: string): number {
  if (test === file.replace(/\.tsx?$/, '.test.ts')) return 0;
  if (dirname(test) === dirname(file)) return 1;
  return test.startsWith(`${dirname(file)}/`) || file.startsWith(`${dirname(test)}/`) ? 2 : 3;
}
