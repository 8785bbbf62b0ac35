import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../../types.ts';
import { createTable, types } from '../columns.ts';

/** Registered numbers, their periods and quotas, and invoiced usage. */
export async function createNumbersTables(trx: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const t = types(dialect);

  await createTable(trx, dialect, 'devices')
    .addColumn('slot_id', t.text, (c) => c.primaryKey())
    .addColumn('account_id', t.text, (c) => c.notNull().references('accounts.id'))
    .addColumn('phone', t.text, (c) => c.notNull().unique())
    .addColumn('plan', t.text, (c) => c.notNull())
    .addColumn('status', t.text, (c) => c.notNull())
    .addColumn('activated_at', t.time)
    .addColumn('created_at', t.time, (c) => c.notNull())
    .addColumn('nickname', t.text)
    .addColumn('canceled_at', t.time)
    .addColumn('removed_at', t.time)
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
    // Usage carried over from earlier periods, so that a change of plan gives nothing away and no invoice counts it twice.
    .addColumn('carried', t.integer, (c) => c.notNull().defaultTo(0))
    // Original end of a period that was cut short; null otherwise.
    .addColumn('planned_end', t.time)
    .addPrimaryKeyConstraint('device_periods_key', ['slot_id', 'started_at'])
    .execute();
  await trx.schema
    .createIndex('device_periods_to_invoice')
    .on('device_periods')
    .column('ends_at')
    .where(sql.ref('invoiced'), '=', sql.lit(0))
    .execute();

  await createTable(trx, dialect, 'number_removals')
    .addColumn('slot_id', t.text, (c) => c.primaryKey())
    .addColumn('account_id', t.text, (c) => c.notNull())
    .addColumn('phone', t.text, (c) => c.notNull())
    .addColumn('removed_at', t.time, (c) => c.notNull())
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
    .addColumn('number', t.text)
    .addColumn('currency', t.text)
    .addColumn('lines', t.text)
    .addColumn('seller', t.text)
    .addColumn('buyer', t.text)
    .addColumn('note', t.text)
    .addColumn('payment_reference', t.text)
    .addColumn('net', t.integer)
    .addColumn('tax_millipercent', t.integer)
    .addColumn('tax', t.integer)
    .addColumn('total', t.integer)
    .addColumn('due_at', t.time)
    .addColumn('paid_at', t.time)
    .addUniqueConstraint('one_invoice_per_period', ['slot_id', 'period_start'])
    .execute();
  await trx.schema.createIndex('invoices_of_account').on('invoices').columns(['account_id', 'id']).execute();

  await createTable(trx, dialect, 'invoice_numbers')
    .addColumn('number', t.text, (c) => c.primaryKey())
    .addColumn('invoice_id', t.text, (c) => c.notNull())
    .execute();

  await createTable(trx, dialect, 'billing_settings')
    .addColumn('id', t.text, (c) => c.primaryKey())
    .addColumn('currency', t.text)
    .addColumn('tax_millipercent', t.integer, (c) => c.notNull())
    .addColumn('prices', t.json, (c) => c.notNull())
    .addColumn('seller', t.json, (c) => c.notNull())
    .addColumn('number_prefix', t.text, (c) => c.notNull())
    .addColumn('next_number', t.integer, (c) => c.notNull())
    .addColumn('due_days', t.integer, (c) => c.notNull())
    .addColumn('note', t.text, (c) => c.notNull())
    .addColumn('webhook_url', t.text)
    .addColumn('webhook_secret', t.bytes)
    .execute();

  await createTable(trx, dialect, 'account_billing')
    .addColumn('account_id', t.text, (c) => c.primaryKey().references('accounts.id'))
    .addColumn('currency', t.text)
    .addColumn('tax_millipercent', t.integer)
    .addColumn('prices', t.json, (c) => c.notNull())
    .addColumn('buyer', t.json, (c) => c.notNull())
    .execute();

  await createTable(trx, dialect, 'billing_notices')
    .addColumn('id', t.text, (c) => c.primaryKey())
    .addColumn('invoice_id', t.text, (c) => c.notNull())
    .addColumn('kind', t.text, (c) => c.notNull())
    .addColumn('attempts', t.integer, (c) => c.notNull())
    .addColumn('due_at', t.time, (c) => c.notNull())
    .addColumn('last_error', t.text)
    .addColumn('created_at', t.time, (c) => c.notNull())
    .execute();
  await trx.schema.createIndex('billing_notices_due').on('billing_notices').column('due_at').execute();
}
