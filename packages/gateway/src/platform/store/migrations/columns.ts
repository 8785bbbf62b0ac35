import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Dialect } from '../types.ts';

/** Column types of each dialect under one name, so that one migration serves both. */
export function types(dialect: Dialect) {
  const integer = dialect === 'sqlite' ? 'integer' : 'bigint';
  return {
    /** Sorts by code point whatever the server's locale, as SQLite does, so that pages come in the same order. */
    text: dialect === 'sqlite' ? 'text' : sql`text collate "C"`,
    json: 'text',
    integer,
    /** Epoch milliseconds. */
    time: integer,
    /** 0 or 1. */
    flag: integer,
    real: dialect === 'sqlite' ? 'real' : 'double precision',
    bytes: dialect === 'sqlite' ? 'blob' : 'bytea',
  } as const;
}

/** Creates a table that refuses values of a wrong type in both dialects; SQLite would accept them by default. */
export function createTable<Name extends string>(
  db: Kysely<unknown>,
  dialect: Dialect,
  name: Name,
): CreateTableBuilder<Name> {
  const table = db.schema.createTable(name);
  return dialect === 'sqlite' ? table.modifyEnd(sql`strict`) : table;
}

/** Makes an integer column the key, numbered by the database. A number is never reused, not even after its row is gone. */
export function numbered(dialect: Dialect): (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder {
  return (column) =>
    dialect === 'sqlite'
      ? column.primaryKey().autoIncrement()
      : column.primaryKey().generatedAlwaysAsIdentity();
}
