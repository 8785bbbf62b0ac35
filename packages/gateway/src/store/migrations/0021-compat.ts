import { type Kysely, sql } from 'kysely';
import type { Dialect, Migration } from '../types.ts';
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
    await allowSeveralWebhooks(trx, dialect);
  },
};

/** One for each format that a number is told in. SQLite can take a constraint back only with its table. */
async function allowSeveralWebhooks(trx: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const t = types(dialect);
  if (dialect === 'postgres') {
    await trx.schema.alterTable('webhooks').dropConstraint('webhooks_slot_id_key').execute();
    await trx.schema
      .alterTable('webhooks')
      .addColumn('format', t.text, (c) => c.notNull().defaultTo(''))
      .addColumn('options', t.bytes)
      .execute();
    await trx.schema
      .alterTable('webhooks')
      .addUniqueConstraint('webhooks_of_number', ['slot_id', 'format'])
      .execute();
    return;
  }
  await createTable(trx, dialect, 'webhooks_next')
    .addColumn('id', t.text, (c) => c.primaryKey())
    .addColumn('account_id', t.text, (c) => c.notNull().references('accounts.id'))
    .addColumn('slot_id', t.text, (c) => c.notNull().references('devices.slot_id'))
    .addColumn('phone', t.text, (c) => c.notNull())
    .addColumn('messages_url', t.text, (c) => c.notNull())
    .addColumn('status_url', t.text, (c) => c.notNull())
    .addColumn('connection_url', t.text, (c) => c.notNull())
    .addColumn('events_url', t.text, (c) => c.notNull())
    .addColumn('active', t.flag, (c) => c.notNull())
    .addColumn('secret', t.bytes, (c) => c.notNull())
    .addColumn('previous_secret', t.bytes)
    .addColumn('previous_secret_until', t.time)
    .addColumn('created_at', t.time, (c) => c.notNull())
    .addColumn('extensions', t.text, (c) => c.notNull().defaultTo(''))
    .addColumn('format', t.text, (c) => c.notNull().defaultTo(''))
    .addColumn('options', t.bytes)
    .addUniqueConstraint('webhooks_of_number', ['slot_id', 'format'])
    .execute();
  const columns = sql.raw(
    'id, account_id, slot_id, phone, messages_url, status_url, connection_url, events_url, active, secret, previous_secret, previous_secret_until, created_at, extensions',
  );
  await sql`INSERT INTO webhooks_next (${columns}) SELECT ${columns} FROM webhooks`.execute(trx);
  await trx.schema.dropTable('webhooks').execute();
  await trx.schema.alterTable('webhooks_next').renameTo('webhooks').execute();
  await trx.schema.createIndex('webhooks_of_account').on('webhooks').columns(['account_id', 'id']).execute();
}
