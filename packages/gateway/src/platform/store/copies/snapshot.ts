import { existsSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { StoreError } from '../errors.ts';
import { assertUndamaged } from '../sqlite/database.ts';
import { sqliteFailure } from '../sqlite/failures.ts';

/** Pages of the embedded database per copy step: 4 MB, then the process does other work. */
const PAGES_PER_STEP = 1_000;
const LOCK_WAIT_MS = 5_000;

export interface SnapshotFacts {
  readonly pages: number;
}

/** Copies an embedded database as of one moment while a gateway writes to it. A plain copy of the file would be corrupt. */
export async function takeSnapshot({
  from,
  to,
  onProgress,
}: {
  /** Paths. */
  from: string;
  to: string;
  onProgress: (progress: { readonly pages: number; readonly of: number }) => void;
}): Promise<SnapshotFacts> {
  if (!existsSync(from)) throw new StoreError('not_restorable', `There is no database ${from} to back up.`);
  const source = new DatabaseSync(from, { timeout: LOCK_WAIT_MS, readOnly: true });
  try {
    // SQLite restarts the copy after a write between two steps. Inside a transaction it sees no writes.
    source.exec('BEGIN');
    source.prepare('SELECT count(*) FROM sqlite_master').get();
    const pages = await backup(source, to, {
      rate: PAGES_PER_STEP,
      progress: ({ totalPages, remainingPages }) =>
        onProgress({ pages: totalPages - remainingPages, of: totalPages }),
    });
    source.exec('COMMIT');
    settle(to);
    return { pages };
  } catch (error) {
    throw sqliteFailure(error) ?? error;
  } finally {
    source.close();
  }
}

/** Leaves one complete file without a log beside it. */
function settle(path: string): void {
  const copy = new DatabaseSync(path);
  try {
    copy.exec('PRAGMA journal_mode = DELETE');
    assertUndamaged(copy, path, Number.POSITIVE_INFINITY);
  } finally {
    copy.close();
  }
}
