import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

/** Room for files on their way, and which budget a file that is kept counts against. */
export const mediaReservations: Migration = {
  version: 43,
  name: 'media reservations',
  async up(trx, dialect) {
    const t = types(dialect);
    await trx.schema.alterTable('media_objects').addColumn('budget', t.text).execute();
    await createTable(trx, dialect, 'media_reservations')
      .addColumn('id', t.text, (c) => c.primaryKey())
      .addColumn('account_id', t.text, (c) => c.notNull())
      .addColumn('budget', t.text, (c) => c.notNull())
      .addColumn('size', t.integer, (c) => c.notNull())
      .addColumn('holder', t.text, (c) => c.notNull())
      .addColumn('expires_at', t.time, (c) => c.notNull())
      .execute();
    await trx.schema
      .createIndex('media_reservations_of_account')
      .on('media_reservations')
      .column('account_id')
      .execute();
    await trx.schema
      .createIndex('media_reservations_of_holder')
      .on('media_reservations')
      .column('holder')
      .execute();
  },
};
