import { globSync, readFileSync } from 'node:fs';

const GATEWAY = new URL('../../packages/gateway/src/', import.meta.url);
const SOURCES = globSync('**/*.ts', { cwd: GATEWAY }).filter(
  (path) => !/\.(?:test|fixture)\.ts$|\/testing\/|^platform\/store\/migrations\//.test(path),
);

/** By Kysely, or in SQL. */
const WRITES =
  /(?:insertInto|updateTable|deleteFrom|replaceInto)\(\s*'(\w+)'|\b(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM) ([a-z]\w*)\b/g;

/** The room of a file, by its path below `packages/gateway/src`. */
export function roomOf(path: string): string {
  const [door = '', room] = path.split('/');
  return door === 'platform' || door === 'surfaces' ? `${door}/${room}` : door;
}

/** The files that write each table, by its name. */
export function tableWriters(): Map<string, Set<string>> {
  const writers = new Map<string, Set<string>>();
  for (const path of SOURCES) {
    const text = readFileSync(new URL(path, GATEWAY), 'utf8');
    for (const [, byName, inSql] of text.matchAll(WRITES)) {
      const table = byName ?? inSql ?? '';
      writers.set(table, (writers.get(table) ?? new Set()).add(path));
    }
  }
  return writers;
}
