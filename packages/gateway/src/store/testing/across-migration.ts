import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemClock } from '#kernel';
import { openStore, type Store } from '../index.ts';
import { migrations } from '../migrations/index.ts';

/** A SQLite database that is filled before the migration of this version, and read after it and all later ones. */
export async function acrossMigration<T>(
  version: number,
  fill: (before: Store) => Promise<unknown>,
  read: (after: Store) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-migration-'));
  const inStore = async <R>(upTo: number, work: (store: Store) => Promise<R>): Promise<R> => {
    const store = await openStore({
      url: `sqlite:${join(folder, 'parley.db')}`,
      commandModules: [],
      migrations: migrations.filter((each) => each.version <= upTo),
      clock: createSystemClock(),
    });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };
  try {
    await inStore(version - 1, fill);
    return await inStore(Number.POSITIVE_INFINITY, read);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
