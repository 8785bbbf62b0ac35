import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

/** Mails that were asked for and have not left yet. */
export const mail: Migration = {
  version: 23,
  name: 'mail',
  async up(trx, dialect) {
    const t = types(dialect);
    await createTable(trx, dialect, 'mail_outbox')
      .addColumn('id', t.text, (c) => c.primaryKey())
      .addColumn('kind', t.text, (c) => c.notNull())
      .addColumn('sealed', t.bytes, (c) => c.notNull())
      .addColumn('attempts', t.integer, (c) => c.notNull())
      .addColumn('due_at', t.time, (c) => c.notNull())
      .addColumn('expires_at', t.time, (c) => c.notNull())
      .addColumn('created_at', t.time, (c) => c.notNull())
      .execute();
    await trx.schema.createIndex('mail_outbox_due').on('mail_outbox').column('due_at').execute();
  },
};
