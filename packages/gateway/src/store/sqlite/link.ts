import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { createLinkDriver, type Link, refuseTransaction } from '../driver.ts';
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

/** The writer, for one caller alone until `release`. */
export function createWriterLink(writer: DatabaseThread, release: () => void): Link {
  return {
    query: (sql, parameters) => writer.ask('query', { sql, parameters }),
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
    query: (sql, parameters) => reader.ask('query', { sql, parameters }),
    begin: refuseTransaction,
    commit: async () => {},
    rollback: async () => {},
    release: () => {},
  };
}
