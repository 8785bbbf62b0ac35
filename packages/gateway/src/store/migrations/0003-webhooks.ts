import { sql } from 'kysely';
import type { Migration } from '../types.ts';
import { createTable, numbered, types } from './columns.ts';

export const webhooks: Migration = {
  version: 3,
  name: 'webhooks',
  async up(trx, dialect) {
    const t = types(dialect);

    await createTable(trx, dialect, 'webhooks')
      .addColumn('id', t.text, (c) => c.primaryKey())
      .addColumn('account_id', t.text, (c) => c.notNull().references('accounts.id'))
      .addColumn('slot_id', t.text, (c) => c.notNull().unique().references('devices.slot_id'))
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
      .execute();
    await trx.schema
      .createIndex('webhooks_of_account')
      .on('webhooks')
      .columns(['account_id', 'id'])
      .execute();

    await createTable(trx, dialect, 'webhook_lanes')
      .addColumn('account_id', t.text, (c) => c.notNull())
      .addColumn('url', t.text, (c) => c.notNull())
      .addColumn('claimed_by', t.text, (c) => c.notNull())
      .addColumn('claimed_until', t.time, (c) => c.notNull())
      .addPrimaryKeyConstraint('webhook_lanes_key', ['account_id', 'url'])
      .execute();

    await createTable(trx, dialect, 'deliveries')
      .addColumn('seq', t.integer, numbered(dialect))
      .addColumn('account_id', t.text, (c) => c.notNull())
      .addColumn('webhook_id', t.text, (c) => c.notNull())
      .addColumn('event_seq', t.integer)
      .addColumn('event_id', t.text, (c) => c.notNull())
      .addColumn('kind', t.text, (c) => c.notNull())
      .addColumn('category', t.text, (c) => c.notNull())
      .addColumn('url', t.text, (c) => c.notNull())
      .addColumn('size', t.integer, (c) => c.notNull())
      .addColumn('status', t.text, (c) => c.notNull())
      .addColumn('queued_at', t.time, (c) => c.notNull())
      .addColumn('due_at', t.time, (c) => c.notNull())
      .addColumn('tries', t.integer, (c) => c.notNull().defaultTo(0))
      .addColumn('attempts', t.json, (c) => c.notNull().defaultTo('[]'))
      .addColumn('event', t.json, (c) => c.notNull())
      .execute();
    // What waits, by lane: one account's deliveries to one URL.
    await trx.schema
      .createIndex('deliveries_waiting')
      .on('deliveries')
      .columns(['account_id', 'url', 'due_at', 'seq'])
      .where(sql.ref('status'), '=', sql.lit('pending'))
      .execute();
    // The history, and what must leave it.
    await trx.schema
      .createIndex('deliveries_of_account')
      .on('deliveries')
      .columns(['account_id', 'status', 'seq'])
      .execute();
  },
};
