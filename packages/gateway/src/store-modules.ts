import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Finds the modules of the rooms that the threads of the embedded database import: every `<room>/write-commands` and every `<room>/readings`,
 * from the sources as from the bundle. A room that adds one is registered by having it.
 */
export function findModules(name: 'write-commands' | 'readings'): URL[] {
  return readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: room }) => {
      const folder = path.join(import.meta.dirname, room);
      const file = readdirSync(folder).find((each) => each === `${name}.ts` || each === `${name}.cjs`);
      return file === undefined ? [] : [pathToFileURL(path.join(folder, file))];
    });
}
