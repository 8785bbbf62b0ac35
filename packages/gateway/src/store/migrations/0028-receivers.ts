import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

/** What is known of receivers: which of them fail, what they answered, and for which of them events are kept meanwhile. */
export const receivers: Migration = {
  version: 28,
  name: 'receivers',
  async up(trx, dialect) {
    const t = types(dialect);
    for (const table of ['webhooks', 'formatted_webhooks'])
      await trx.schema.alterTable(table).addColumn('paused_at', t.time).execute();
    await trx.schema.alterTable('deliveries').addColumn('answers', t.bytes).execute();
    await createTable(trx, dialect, 'failing_receivers')
      .addColumn('account_id', t.text, (c) => c.notNull())
      .addColumn('url', t.text, (c) => c.notNull())
      .addColumn('failing_since', t.time, (c) => c.notNull())
      .addColumn('failed_at', t.time, (c) => c.notNull())
      .addColumn('cause', t.text, (c) => c.notNull())
      .addColumn('status_code', t.integer)
      .addColumn('probe_at', t.time)
      .addColumn('told_at', t.time)
      .addPrimaryKeyConstraint('failing_receivers_key', ['account_id', 'url'])
      .execute();
  },
};
