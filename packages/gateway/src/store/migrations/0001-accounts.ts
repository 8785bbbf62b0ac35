import { sql } from 'kysely';
import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

export const accounts: Migration = {
  version: 1,
  name: 'accounts',
  async up(trx, dialect) {
    const t = types(dialect);

    await createTable(trx, dialect, 'accounts')
      .addColumn('id', t.text, (c) => c.primaryKey())
      .addColumn('name', t.text, (c) => c.notNull())
      .addColumn('email', t.text, (c) => c.notNull().unique())
      .addColumn('password_hash', t.text)
      .addColumn('status', t.text, (c) => c.notNull())
      .addColumn('tos_accepted_version', t.text)
      .addColumn('tos_accepted_at', t.time)
      .addColumn('partner_per_minute', t.integer)
      .addColumn('partner_per_period', t.integer)
      .addColumn('created_at', t.time, (c) => c.notNull())
      .execute();

    await createTable(trx, dialect, 'api_keys')
      .addColumn('id', t.text, (c) => c.primaryKey())
      .addColumn('account_id', t.text, (c) => c.notNull().references('accounts.id'))
      .addColumn('name', t.text, (c) => c.notNull())
      .addColumn('secret_hash', t.bytes, (c) => c.notNull())
      .addColumn('phone', t.text)
      .addColumn('permissions', t.json)
      .addColumn('expires_at', t.time)
      .addColumn('revoked_at', t.time)
      .addColumn('last_used_at', t.time)
      .addColumn('created_at', t.time, (c) => c.notNull())
      .execute();
    await trx.schema
      .createIndex('api_keys_of_account')
      .on('api_keys')
      .columns(['account_id', 'id'])
      .execute();

    await createTable(trx, dialect, 'devices')
      .addColumn('slot_id', t.text, (c) => c.primaryKey())
      .addColumn('account_id', t.text, (c) => c.notNull().references('accounts.id'))
      .addColumn('phone', t.text, (c) => c.notNull().unique())
      .addColumn('plan', t.text, (c) => c.notNull())
      .addColumn('status', t.text, (c) => c.notNull())
      .addColumn('activated_at', t.time)
      .addColumn('created_at', t.time, (c) => c.notNull())
      .execute();
    await trx.schema
      .createIndex('devices_of_account')
      .on('devices')
      .columns(['account_id', 'slot_id'])
      .execute();

    await createTable(trx, dialect, 'device_periods')
      .addColumn('slot_id', t.text, (c) => c.notNull().references('devices.slot_id'))
      .addColumn('started_at', t.time, (c) => c.notNull())
      .addColumn('ends_at', t.time, (c) => c.notNull())
      .addColumn('plan', t.text, (c) => c.notNull())
      .addColumn('quota', t.integer, (c) => c.notNull())
      .addColumn('used', t.integer, (c) => c.notNull().defaultTo(0))
      .addColumn('invoiced', t.flag, (c) => c.notNull().defaultTo(0))
      .addPrimaryKeyConstraint('device_periods_key', ['slot_id', 'started_at'])
      .execute();
    await trx.schema
      .createIndex('device_periods_to_invoice')
      .on('device_periods')
      .column('ends_at')
      .where(sql.ref('invoiced'), '=', sql.lit(0))
      .execute();

    await createTable(trx, dialect, 'invoices')
      .addColumn('id', t.text, (c) => c.primaryKey())
      .addColumn('account_id', t.text, (c) => c.notNull().references('accounts.id'))
      .addColumn('slot_id', t.text, (c) => c.notNull())
      .addColumn('phone', t.text, (c) => c.notNull())
      .addColumn('plan', t.text, (c) => c.notNull())
      .addColumn('period_start', t.time, (c) => c.notNull())
      .addColumn('period_end', t.time, (c) => c.notNull())
      .addColumn('quota', t.integer, (c) => c.notNull())
      .addColumn('used', t.integer, (c) => c.notNull())
      .addColumn('issued_at', t.time, (c) => c.notNull())
      .addUniqueConstraint('one_invoice_per_period', ['slot_id', 'period_start'])
      .execute();
    await trx.schema
      .createIndex('invoices_of_account')
      .on('invoices')
      .columns(['account_id', 'id'])
      .execute();

    await createTable(trx, dialect, 'tos_versions')
      .addColumn('version', t.text, (c) => c.primaryKey())
      .addColumn('url', t.text, (c) => c.notNull())
      .addColumn('number', t.integer, (c) => c.notNull().unique())
      .addColumn('published_at', t.time, (c) => c.notNull())
      .execute();

    // Numbered by the writers themselves, one after the other, so that a reader who has seen number n misses nothing below it.
    await createTable(trx, dialect, 'audit_log')
      .addColumn('number', t.integer, (c) => c.primaryKey())
      .addColumn('at', t.time, (c) => c.notNull())
      .addColumn('actor', t.text, (c) => c.notNull())
      .addColumn('account_id', t.text)
      .addColumn('action', t.text, (c) => c.notNull())
      .addColumn('subject', t.text, (c) => c.notNull())
      .addColumn('detail', t.json, (c) => c.notNull())
      .execute();
    await trx.schema
      .createIndex('audit_log_of_account')
      .on('audit_log')
      .columns(['account_id', 'number'])
      .execute();
  },
};
