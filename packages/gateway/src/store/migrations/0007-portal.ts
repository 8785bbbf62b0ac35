import { sql } from 'kysely';
import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

export const portal: Migration = {
  version: 7,
  name: 'portal',
  async up(trx, dialect) {
    const t = types(dialect);

    await createTable(trx, dialect, 'browser_sessions')
      .addColumn('token_hash', t.bytes, (c) => c.primaryKey())
      .addColumn('account_id', t.text, (c) => c.references('accounts.id'))
      .addColumn('created_at', t.time, (c) => c.notNull())
      .addColumn('seen_at', t.time, (c) => c.notNull())
      .execute();
    await trx.schema
      .createIndex('browser_sessions_of_account')
      .on('browser_sessions')
      .column('account_id')
      .execute();

    await createTable(trx, dialect, 'portal_limits')
      .addColumn('name', t.text, (c) => c.primaryKey())
      .addColumn('full_at', t.real, (c) => c.notNull())
      .execute();

    await trx.schema
      .createIndex('deliveries_dead')
      .on('deliveries')
      .column('seq')
      .where(sql.ref('status'), '=', sql.lit('dead'))
      .execute();
    // What a number has sent, newest first; message ids begin with the time.
    await trx.schema.createIndex('messages_of_number').on('messages').columns(['slot_id', 'id']).execute();
  },
};
