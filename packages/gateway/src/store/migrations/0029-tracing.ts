import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

/** Which journey a message is a part of, for whoever sends it and tells of it in another process. */
export const tracing: Migration = {
  version: 29,
  name: 'tracing',
  async up(trx, dialect) {
    const t = types(dialect);
    await createTable(trx, dialect, 'message_traces')
      .addColumn('message_id', t.text, (c) => c.primaryKey())
      .addColumn('account_id', t.text, (c) => c.notNull())
      .addColumn('traceparent', t.text, (c) => c.notNull())
      .addColumn('at', t.time, (c) => c.notNull())
      .execute();
    await trx.schema.createIndex('message_traces_by_age').on('message_traces').column('at').execute();
  },
};
