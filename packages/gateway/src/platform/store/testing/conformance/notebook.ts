import { type Kysely, sql, type Transaction } from 'kysely';

import { createTable, types } from '../../migrations/columns.ts';
import { createUpkeepTables } from '../../migrations/initial/upkeep.ts';
import type { Tables } from '../../schema/tables.ts';
import type { Migration, Store } from '../../types.ts';
import type { Note } from './write-commands.ts';

type Notebook = { note: Note };

export const notesMigration: Migration = {
  version: 1,
  name: 'notes',
  async up(trx, dialect) {
    const type = types(dialect);
    // Includes the tables that the store itself writes to.
    await createUpkeepTables(trx, dialect);
    await createTable(trx, dialect, 'note')
      .addColumn('id', type.integer, (column) => column.primaryKey().notNull())
      .addColumn('text', type.text)
      .addColumn('bytes', type.bytes)
      .addColumn('about', type.integer, (column) =>
        column.references('note.id').modifyEnd(sql`deferrable initially deferred`),
      )
      .execute();
  },
};

export function notes(db: Kysely<Tables>): Kysely<Notebook & Tables>;
export function notes(db: Transaction<Tables>): Transaction<Notebook & Tables>;
export function notes(db: Kysely<Tables>) {
  return db.withTables<Notebook>();
}

export async function noteIds(store: Store): Promise<number[]> {
  const rows = await notes(store.read).selectFrom('note').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
}
