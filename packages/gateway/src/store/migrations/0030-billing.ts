import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

/** Prices, and what an invoice says beyond usage. Invoices of before, and of a process of the last release, ask for nothing. */
export const billing: Migration = {
  version: 30,
  name: 'billing',
  async up(trx, dialect) {
    const t = types(dialect);
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

    // Beside the invoices, which have rows already: to ask for uniqueness among those would make everybody wait.
    await createTable(trx, dialect, 'invoice_numbers')
      .addColumn('number', t.text, (c) => c.primaryKey())
      .addColumn('invoice_id', t.text, (c) => c.notNull())
      .execute();

    const texts = ['number', 'currency', 'lines', 'seller', 'buyer', 'note', 'payment_reference'];
    const integers = ['net', 'tax_millipercent', 'tax', 'total', 'due_at', 'paid_at'];
    for (const name of texts) await trx.schema.alterTable('invoices').addColumn(name, t.text).execute();
    for (const name of integers) await trx.schema.alterTable('invoices').addColumn(name, t.integer).execute();

    // When a period that was cut short would have ended; null where it was not.
    await trx.schema.alterTable('device_periods').addColumn('planned_end', t.time).execute();
  },
};
