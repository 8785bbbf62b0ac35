import type { Migration } from '../types.ts';
import { createTable, numbered, types } from './columns.ts';

/** What tells a wrong master key, what could not be stored where it belongs, and where a write is tried. */
export const safekeeping: Migration = {
  version: 11,
  name: 'safekeeping',
  async up(trx, dialect) {
    const t = types(dialect);

    await createTable(trx, dialect, 'seal_markers')
      .addColumn('name', t.text, (c) => c.primaryKey())
      .addColumn('sealed', t.bytes, (c) => c.notNull())
      .addColumn('made_at', t.time, (c) => c.notNull())
      .execute();

    await createTable(trx, dialect, 'write_probes')
      .addColumn('id', t.integer, numbered(dialect))
      .addColumn('filler', t.bytes, (c) => c.notNull())
      .execute();

    await createTable(trx, dialect, 'quarantine')
      .addColumn('id', t.text, (c) => c.primaryKey())
      .addColumn('account_id', t.text, (c) => c.notNull())
      .addColumn('slot_id', t.text, (c) => c.notNull())
      .addColumn('kind', t.text, (c) => c.notNull())
      .addColumn('reason', t.text, (c) => c.notNull())
      .addColumn('size', t.integer, (c) => c.notNull())
      .addColumn('at', t.time, (c) => c.notNull())
      .addColumn('sealed', t.bytes, (c) => c.notNull())
      .execute();
    await trx.schema.createIndex('quarantine_by_time').on('quarantine').columns(['at', 'id']).execute();
  },
};
