import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from './errors.ts';
import { makeUsableDirectory } from './sqlite/directory.ts';
import { sqliteFailure } from './sqlite/failures.ts';

export interface DataDirLock {
  release(): void;
}

/** A connection that nobody refers to is collected, and its lock with it. */
const held = new Set<DatabaseSync>();

/**
 * Keeps a data directory for this process alone. The lock is an open exclusive transaction on a small file, so the operating
 * system itself drops it when the process ends, however it ends.
 */
export function lockDataDir(directory: string): DataDirLock {
  makeUsableDirectory(directory);
  const db = new DatabaseSync(join(directory, 'parley.lock'), { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (sqliteFailure(error)?.code !== 'unavailable') throw error;
    throw new StoreError(
      'data_dir_in_use',
      `Another Parley uses the data directory ${directory}; stop it or choose another directory.`,
    );
  }
  held.add(db);
  return {
    release() {
      if (held.delete(db)) db.close();
    },
  };
}
