import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

/** How much the whole gateway does. */
export const throughput: Migration = {
  version: 37,
  name: 'throughput',
  async up(trx, dialect) {
    const t = types(dialect);
    await createTable(trx, dialect, 'throughput')
      .addColumn('span', t.text, (c) => c.notNull())
      .addColumn('starts_at', t.time, (c) => c.notNull())
      .addColumn('accepted', t.integer, (c) => c.notNull())
      .addColumn('sent', t.integer, (c) => c.notNull())
      .addColumn('received', t.integer, (c) => c.notNull())
      .addColumn('delivered', t.integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('throughput_key', ['span', 'starts_at'])
      .execute();
  },
};
