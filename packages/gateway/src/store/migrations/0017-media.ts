import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

/** The files that are kept for accounts. */
export const media: Migration = {
  version: 17,
  name: 'media',
  async up(trx, dialect) {
    const t = types(dialect);

    await createTable(trx, dialect, 'media')
      .addColumn('id', t.text, (c) => c.primaryKey())
      .addColumn('account_id', t.text, (c) => c.notNull())
      .addColumn('phone', t.text)
      .addColumn('object_id', t.text, (c) => c.notNull())
      .addColumn('size', t.integer, (c) => c.notNull())
      .addColumn('details', t.bytes, (c) => c.notNull())
      .addColumn('made_at', t.time, (c) => c.notNull())
      .addColumn('expires_at', t.time, (c) => c.notNull())
      .execute();
    await trx.schema.createIndex('media_to_drop').on('media').column('expires_at').execute();
    await trx.schema.createIndex('media_of_objects').on('media').column('object_id').execute();

    await createTable(trx, dialect, 'media_objects')
      .addColumn('id', t.text, (c) => c.primaryKey())
      .addColumn('account_id', t.text, (c) => c.notNull())
      .addColumn('fingerprint', t.bytes, (c) => c.notNull())
      .addColumn('size', t.integer, (c) => c.notNull())
      .addColumn('uses', t.integer, (c) => c.notNull())
      .addColumn('made_at', t.time, (c) => c.notNull())
      .execute();
    await trx.schema
      .createIndex('media_objects_once')
      .on('media_objects')
      .columns(['account_id', 'fingerprint'])
      .unique()
      .execute();

    await createTable(trx, dialect, 'media_pins')
      .addColumn('media_id', t.text, (c) => c.notNull())
      .addColumn('slot_id', t.text, (c) => c.notNull())
      .addColumn('seq', t.integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('media_pins_key', ['media_id', 'slot_id', 'seq'])
      .execute();
  },
};
