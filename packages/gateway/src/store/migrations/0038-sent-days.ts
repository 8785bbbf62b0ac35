import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

/** How many messages numbers have sent on days that are over. */
export const sentDays: Migration = {
  version: 38,
  name: 'sent-days',
  async up(trx, dialect) {
    const t = types(dialect);
    await createTable(trx, dialect, 'sent_days')
      .addColumn('slot_id', t.text, (c) => c.notNull())
      .addColumn('day', t.integer, (c) => c.notNull())
      .addColumn('accepted', t.integer, (c) => c.notNull())
      .addColumn('sent', t.integer, (c) => c.notNull())
      .addColumn('delivered', t.integer, (c) => c.notNull())
      .addColumn('failed', t.integer, (c) => c.notNull())
      .addColumn('is_stale', t.flag, (c) => c.notNull())
      .addPrimaryKeyConstraint('sent_days_key', ['slot_id', 'day'])
      .execute();
  },
};
