import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

/** What phones tell of the past of numbers that keep their conversations. */
export const past: Migration = {
  version: 19,
  name: 'past',
  async up(trx, dialect) {
    const t = types(dialect);

    await trx.schema.alterTable('history_chats').addColumn('past_at', t.time).execute();

    await createTable(trx, dialect, 'history_imports')
      .addColumn('history_id', t.text, (c) => c.notNull())
      .addColumn('import_id', t.text, (c) => c.notNull())
      .addColumn('state', t.text, (c) => c.notNull())
      .addColumn('progress', t.integer)
      .addColumn('messages', t.integer, (c) => c.notNull())
      .addColumn('chats', t.integer, (c) => c.notNull())
      .addColumn('started_at', t.time, (c) => c.notNull())
      .addColumn('updated_at', t.time, (c) => c.notNull())
      .addPrimaryKeyConstraint('history_imports_key', ['history_id', 'import_id'])
      .execute();
  },
};
