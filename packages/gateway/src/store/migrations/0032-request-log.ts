import type { Migration } from '../types.ts';
import { createTable, numbered, types } from './columns.ts';

/** What keys have asked for lately. */
export const requestLog: Migration = {
  version: 32,
  name: 'request log',
  async up(trx, dialect) {
    const t = types(dialect);
    await createTable(trx, dialect, 'api_requests')
      .addColumn('seq', t.integer, numbered(dialect))
      .addColumn('account_id', t.text, (c) => c.notNull())
      .addColumn('key_id', t.text, (c) => c.notNull())
      .addColumn('at', t.time, (c) => c.notNull())
      .addColumn('method', t.text, (c) => c.notNull())
      .addColumn('path', t.text, (c) => c.notNull())
      .addColumn('status', t.integer, (c) => c.notNull())
      .addColumn('duration_ms', t.integer, (c) => c.notNull())
      .addColumn('error', t.text)
      .addColumn('request_id', t.text, (c) => c.notNull())
      .execute();
    await trx.schema
      .createIndex('api_requests_of_account')
      .on('api_requests')
      .columns(['account_id', 'seq'])
      .execute();
    await trx.schema
      .createIndex('api_requests_of_key')
      .on('api_requests')
      .columns(['key_id', 'seq'])
      .execute();
    await trx.schema.createIndex('api_requests_by_age').on('api_requests').columns(['at']).execute();
  },
};
