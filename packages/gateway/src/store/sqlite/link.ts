import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { createLinkDriver, type Link, type LinkAnswer, refuseTransaction } from '../driver.ts';
import { unpackRows } from './protocol.ts';
import type { DatabaseThread } from './thread.ts';

/** Kysely whose connections live in a database thread. */
export function sqliteDialect(acquire: () => Promise<Link>): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createLinkDriver(acquire),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

async function query(
  thread: DatabaseThread,
  sql: string,
  parameters: readonly unknown[],
): Promise<LinkAnswer> {
  const answer = await thread.ask('query', { sql, parameters });
  return 'changes' in answer ? { rows: [], ...answer } : { rows: unpackRows(answer) };
}

/** The writer, for one caller alone until `release`. */
export function createWriterLink(writer: DatabaseThread, release: () => void): Link {
  return {
    query: (sql, parameters) => query(writer, sql, parameters),
    begin: () => writer.ask('begin', {}),
    commit: () => writer.ask('commit', {}),
    // The thread can only fail to roll back by having stopped, and then nothing is left to roll back.
    rollback: () => writer.ask('rollback', {}).catch(() => undefined),
    release,
  };
}

/** The reader, shared by all callers: each statement sees the newest commit. */
export function createReaderLink(reader: DatabaseThread): Link {
  return {
    query: (sql, parameters) => query(reader, sql, parameters),
    begin: refuseTransaction,
    commit: async () => {},
    rollback: async () => {},
    release: () => {},
  };
}
