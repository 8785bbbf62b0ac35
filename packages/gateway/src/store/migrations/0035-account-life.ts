import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

/** Accounts that take all they have with them, and accounts that end. */
export const accountLife: Migration = {
  version: 35,
  name: 'account life',
  async up(trx, dialect) {
    const t = types(dialect);
    await createTable(trx, dialect, 'account_exports')
      .addColumn('id', t.text, (c) => c.primaryKey())
      .addColumn('account_id', t.text, (c) => c.notNull())
      .addColumn('asked_by', t.text, (c) => c.notNull())
      .addColumn('asked_at', t.time, (c) => c.notNull())
      .addColumn('state', t.text, (c) => c.notNull())
      .addColumn('steps_done', t.integer, (c) => c.notNull())
      .addColumn('rows_written', t.integer, (c) => c.notNull())
      .addColumn('taken_until', t.time, (c) => c.notNull())
      .addColumn('media_id', t.text)
      .addColumn('size', t.integer)
      .addColumn('ready_at', t.time)
      .execute();
    await trx.schema
      .createIndex('account_exports_of_account')
      .on('account_exports')
      .columns(['account_id', 'id'])
      .execute();
    await createTable(trx, dialect, 'account_deletions')
      .addColumn('account_id', t.text, (c) => c.primaryKey())
      .addColumn('asked_by', t.text, (c) => c.notNull())
      .addColumn('asked_at', t.time, (c) => c.notNull())
      .addColumn('due_at', t.time, (c) => c.notNull())
      .addColumn('links', t.json)
      .execute();
    await trx.schema.alterTable('accounts').addColumn('erased_at', t.time).execute();
  },
};
