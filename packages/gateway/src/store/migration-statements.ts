import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Dialect, Migration } from './types.ts';

/** What a migration would send to a database, without any: a migration changes the schema and reads nothing. */
export async function statementsOf(migration: Migration, dialect: Dialect): Promise<string[]> {
  const statements: string[] = [];
  const db = new Kysely<unknown>({
    dialect: {
      createDriver: () => new DummyDriver(),
      createAdapter: () => (dialect === 'sqlite' ? new SqliteAdapter() : new PostgresAdapter()),
      createQueryCompiler: () =>
        dialect === 'sqlite' ? new SqliteQueryCompiler() : new PostgresQueryCompiler(),
      createIntrospector: (each) =>
        dialect === 'sqlite' ? new SqliteIntrospector(each) : new PostgresIntrospector(each),
    },
    log: ({ query }) => void statements.push(query.sql),
  });
  await migration.up(db, dialect);
  return statements;
}
