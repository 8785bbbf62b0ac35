import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { StoreError } from '../errors.ts';
import { isInputOutputFailure, sqliteFailure } from './failures.ts';
import type { ThreadData } from './protocol.ts';

const LOCK_WAIT_MS = 5_000;
const MOST_REMEMBERED_STATEMENTS = 256;

/** Opens the file so that a commit has reached the disk when it returns. */
export function openDatabase({ path, role }: Pick<ThreadData, 'path' | 'role'>): DatabaseSync {
  try {
    const db = new DatabaseSync(path, { timeout: LOCK_WAIT_MS, enableForeignKeyConstraints: true });
    if (role === 'writer') useWriteAheadLog(db, path);
    db.exec('PRAGMA synchronous = FULL');
    if (role === 'reader') db.exec('PRAGMA query_only = ON');
    return db;
  } catch (error) {
    throw openingFailure(path, error);
  }
}

function useWriteAheadLog(db: DatabaseSync, path: string): void {
  const answer = db.prepare('PRAGMA journal_mode = WAL').get();
  if (answer?.journal_mode !== 'wal') {
    throw new StoreError(
      'data_dir_unusable',
      `The file system of ${path} cannot hold a write-ahead log; use a local disk.`,
    );
  }
}

function openingFailure(path: string, error: unknown): unknown {
  const failure = sqliteFailure(error);
  switch (failure?.code) {
    case 'not_a_database':
      return new StoreError(
        'not_a_database',
        `${path} is not a SQLite database; move it away or choose another path.`,
      );
    case 'read_only':
    case 'unavailable':
      return new StoreError(
        'data_dir_unusable',
        `The database ${path} cannot be opened for writing: ${failure.message}.`,
      );
    default:
      return failure ?? error;
  }
}

export function commitDurably(db: DatabaseSync): void {
  try {
    db.exec('COMMIT');
  } catch (error) {
    // After a failed sync the log may or may not hold the commit: only the next opening of the file tells.
    if (isInputOutputFailure(error))
      throw new StoreError('commit_unknown', 'The disk failed while committing.');
    throw error;
  }
}

/** Prepares each text once and keeps the ones used last. */
export function createStatementCache(db: DatabaseSync): (sql: string) => StatementSync {
  const statements = new Map<string, StatementSync>();
  return (sql) => {
    const statement = statements.get(sql) ?? db.prepare(sql);
    statements.delete(sql);
    statements.set(sql, statement);
    const [oldest] = statements.keys();
    if (statements.size > MOST_REMEMBERED_STATEMENTS && oldest !== undefined) statements.delete(oldest);
    return statement;
  };
}
