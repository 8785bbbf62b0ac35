import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

/** Files that came with messages: whose they are, and which of them belong to a conversation that is kept. */
export const mediaArrivals: Migration = {
  version: 18,
  name: 'media-arrivals',
  async up(trx, dialect) {
    const t = types(dialect);
    await createTable(trx, dialect, 'media_arrivals')
      .addColumn('media_id', t.text, (c) => c.primaryKey())
      .addColumn('slot_id', t.text, (c) => c.notNull())
      .addColumn('history_id', t.text)
      .addColumn('chat', t.text)
      .addColumn('message_id', t.text)
      .addColumn('copy_until', t.time)
      .execute();
    await trx.schema
      .createIndex('media_arrivals_kept')
      .on('media_arrivals')
      .columns(['history_id', 'chat', 'message_id'])
      .execute();
    await trx.schema.createIndex('media_arrivals_copies').on('media_arrivals').column('copy_until').execute();
  },
};
