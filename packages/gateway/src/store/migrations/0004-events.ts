import type { Migration } from '../types.ts';
import { createTable, numbered, types } from './columns.ts';

export const events: Migration = {
  version: 4,
  name: 'events',
  async up(trx, dialect) {
    const t = types(dialect);

    await createTable(trx, dialect, 'events')
      .addColumn('seq', t.integer, numbered(dialect))
      .addColumn('tx', t.integer, (c) => c.notNull())
      .addColumn('account_id', t.text, (c) => c.notNull())
      .addColumn('slot_id', t.text, (c) => c.notNull())
      .addColumn('key', t.text, (c) => c.notNull())
      .addColumn('event_id', t.text, (c) => c.notNull())
      .addColumn('kind', t.text, (c) => c.notNull())
      .addColumn('at', t.time, (c) => c.notNull())
      .addColumn('expires_at', t.time, (c) => c.notNull())
      .addColumn('size', t.integer, (c) => c.notNull())
      .addColumn('body', t.json, (c) => c.notNull())
      .addColumn('sealed', t.bytes)
      .addUniqueConstraint('events_once', ['slot_id', 'key'])
      .execute();
    await trx.schema
      .createIndex('events_of_account')
      .on('events')
      .columns(['account_id', 'tx', 'seq'])
      .execute();
    await trx.schema.createIndex('events_to_drop').on('events').column('expires_at').execute();
  },
};
