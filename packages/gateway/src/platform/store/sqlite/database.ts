import { statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { StoreError } from '../errors.ts';
import { isBusy, isInputOutputFailure, sqliteFailure } from './failures.ts';
import type { Columns, ThreadData } from './protocol.ts';

const LOCK_WAIT_MS = 5_000;
const LOCK_RETRY_MS = 10;
const MOST_REMEMBERED_STATEMENTS = 256;
/**
 * Pages of 4 KB. Sends of many numbers touch pages all over the file, many of them repeatedly: a later checkpoint writes fewer of them
 * twice. SQLite's default of 1,000 makes commits 1.6 times as slow. 32 MB are read quickly after a crash.
 */
const LOG_PAGES_BEFORE_CHECKPOINT = 8_000;

/** SQLite's default of 2 MB holds too few of those pages: the writer would reread them from the file. A larger cache slows commits down. */
const WRITER_CACHE_KB = 8_000;

/** Opens the file so that a commit has reached the disk when it returns. */
export function openDatabase({ path, role }: Pick<ThreadData, 'path' | 'role'>): DatabaseSync {
  try {
    const db = new DatabaseSync(path, { timeout: LOCK_WAIT_MS, enableForeignKeyConstraints: true });
    if (role === 'writer') {
      useWriteAheadLog(db, path);
      db.exec(`PRAGMA cache_size = -${WRITER_CACHE_KB}`);
    }
    db.exec('PRAGMA synchronous = FULL');
    db.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES_BEFORE_CHECKPOINT}`);
    if (role === 'reader') db.exec('PRAGMA query_only = ON');
    return db;
  } catch (error) {
    throw openingFailure(path, error);
  }
}

/** Retries here, because SQLite's busy timeout does not cover two connections that open a new file at once. */
function useWriteAheadLog(db: DatabaseSync, path: string): void {
  for (let waitedMs = 0; ; waitedMs += LOCK_RETRY_MS) {
    try {
      const answer = db.prepare('PRAGMA journal_mode = WAL').get();
      if (answer?.journal_mode === 'wal') return;
      throw new StoreError(
        'data_dir_unusable',
        `The file system of ${path} holds no write-ahead log; use a local disk.`,
      );
    } catch (error) {
      if (!isBusy(error) || waitedMs >= LOCK_WAIT_MS) throw error;
      pauseThread(LOCK_RETRY_MS);
    }
  }
}

function pauseThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function openingFailure(path: string, error: unknown): unknown {
  const failure = sqliteFailure(error);
  switch (failure?.code) {
    case 'not_a_database':
      return new StoreError(
        'not_a_database',
        `${path} is not a SQLite database; move it away or choose another path.`,
      );
    case 'damaged':
      return damaged(path);
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

/**
 * Refuses a damaged file before anything overwrites what is left of it. A full check takes about a second per gigabyte, so files
 * larger than `upToBytes` are not checked.
 */
export function assertUndamaged(db: DatabaseSync, path: string, upToBytes: number): void {
  if (statSync(path).size > upToBytes) return;
  try {
    const answer = db.prepare('PRAGMA quick_check(1)').get();
    if (answer?.quick_check === 'ok') return;
  } catch (error) {
    throw openingFailure(path, error);
  }
  throw damaged(path);
}

function damaged(path: string): StoreError {
  return new StoreError('damaged', `The database ${path} has damaged pages; restore it from your backup.`);
}

export function commitDurably(db: DatabaseSync): void {
  try {
    db.exec('COMMIT');
  } catch (error) {
    // After a failed sync the log may or may not hold the commit: only the next opening of the file decides.
    if (isInputOutputFailure(error))
      throw new StoreError('commit_unknown', 'The disk failed while committing.');
    throw error;
  }
}

/** A statement that returns rows as arrays. */
interface Prepared {
  readonly statement: StatementSync;
  /** Empty: it changes rows and returns nothing. */
  readonly columns: Columns;
}

/** Prepares each text once and keeps the most recently used ones. */
export function createStatementCache(db: DatabaseSync): (sql: string) => Prepared {
  const known = new Map<string, Prepared>();
  return (sql) => {
    const prepared = known.get(sql) ?? prepare(db, sql);
    known.delete(sql);
    known.set(sql, prepared);
    const [oldest] = known.keys();
    if (known.size > MOST_REMEMBERED_STATEMENTS && oldest !== undefined) known.delete(oldest);
    return prepared;
  };
}

function prepare(db: DatabaseSync, sql: string): Prepared {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  const columns = statement.columns();
  const bytes = columns.flatMap(({ type }, place) => (type?.toLowerCase() === 'blob' ? [place] : []));
  return { statement, columns: { names: columns.map(({ name }) => name), bytes } };
}
