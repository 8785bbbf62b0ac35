import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

/** Numbers that their owners have removed, and what is still to be done about them. */
export const removedNumbers: Migration = {
  version: 34,
  name: 'removed numbers',
  async up(trx, dialect) {
    const t = types(dialect);
    await trx.schema.alterTable('devices').addColumn('removed_at', t.time).execute();
    await createTable(trx, dialect, 'number_removals')
      .addColumn('slot_id', t.text, (c) => c.primaryKey())
      .addColumn('account_id', t.text, (c) => c.notNull())
      .addColumn('phone', t.text, (c) => c.notNull())
      .addColumn('removed_at', t.time, (c) => c.notNull())
      .execute();
  },
};
