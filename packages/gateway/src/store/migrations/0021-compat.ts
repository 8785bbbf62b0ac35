import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

/** Other programs' interfaces: the names that numbers have there, and webhooks that speak as those programs do, beside a number's own. */
export const compat: Migration = {
  version: 21,
  name: 'compat',
  async up(trx, dialect) {
    const t = types(dialect);
    await createTable(trx, dialect, 'compat_names')
      .addColumn('account_id', t.text, (c) => c.notNull().references('accounts.id'))
      .addColumn('surface', t.text, (c) => c.notNull())
      .addColumn('name', t.text, (c) => c.notNull())
      .addColumn('slot_id', t.text, (c) => c.notNull().references('devices.slot_id'))
      .addColumn('remembered', t.bytes, (c) => c.notNull())
      .addColumn('created_at', t.time, (c) => c.notNull())
      .addColumn('updated_at', t.time, (c) => c.notNull())
      .addPrimaryKeyConstraint('compat_names_key', ['account_id', 'surface', 'name'])
      .addUniqueConstraint('compat_names_of_number', ['slot_id', 'surface'])
      .execute();
    await createTable(trx, dialect, 'formatted_webhooks')
      .addColumn('id', t.text, (c) => c.primaryKey())
      .addColumn('account_id', t.text, (c) => c.notNull().references('accounts.id'))
      .addColumn('slot_id', t.text, (c) => c.notNull().references('devices.slot_id'))
      .addColumn('phone', t.text, (c) => c.notNull())
      .addColumn('messages_url', t.text, (c) => c.notNull())
      .addColumn('status_url', t.text, (c) => c.notNull())
      .addColumn('connection_url', t.text, (c) => c.notNull())
      .addColumn('events_url', t.text, (c) => c.notNull())
      .addColumn('active', t.flag, (c) => c.notNull())
      .addColumn('extensions', t.text, (c) => c.notNull())
      .addColumn('format', t.text, (c) => c.notNull())
      .addColumn('options', t.bytes, (c) => c.notNull())
      .addColumn('created_at', t.time, (c) => c.notNull())
      .addUniqueConstraint('formatted_webhooks_of_number', ['slot_id', 'format'])
      .execute();
  },
};
