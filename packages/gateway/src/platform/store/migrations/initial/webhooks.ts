import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../../types.ts';
import { createTable, numbered, types } from '../columns.ts';

/** Receivers and their deliveries. */
export async function createWebhooksTables(trx: Kysely<unknown>, dialect: Dialect): Promise<void> {
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
    .addColumn('extensions', t.text, (c) => c.notNull().defaultTo(''))
    .addColumn('paused_at', t.time)
    .execute();
  await trx.schema.createIndex('webhooks_of_account').on('webhooks').columns(['account_id', 'id']).execute();

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
    .addColumn('paused_at', t.time)
    .addUniqueConstraint('formatted_webhooks_of_number', ['slot_id', 'format'])
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
    .addColumn('chat', t.text)
    .addColumn('answers', t.bytes)
    .addColumn('replay_id', t.text)
    .execute();
  // Pending deliveries by lane: one account's deliveries to one URL.
  await trx.schema
    .createIndex('deliveries_waiting')
    .on('deliveries')
    .columns(['account_id', 'url', 'due_at', 'seq'])
    .where(sql.ref('status'), '=', sql.lit('pending'))
    .execute();
  // Delivery history, and its retention.
  await trx.schema
    .createIndex('deliveries_of_account')
    .on('deliveries')
    .columns(['account_id', 'status', 'seq'])
    .execute();
  await trx.schema
    .createIndex('deliveries_dead')
    .on('deliveries')
    .column('seq')
    .where(sql.ref('status'), '=', sql.lit('dead'))
    .execute();

  await createTable(trx, dialect, 'failing_receivers')
    .addColumn('account_id', t.text, (c) => c.notNull())
    .addColumn('url', t.text, (c) => c.notNull())
    .addColumn('failing_since', t.time, (c) => c.notNull())
    .addColumn('failed_at', t.time, (c) => c.notNull())
    .addColumn('cause', t.text, (c) => c.notNull())
    .addColumn('status_code', t.integer)
    .addColumn('probe_at', t.time)
    .addColumn('notified_at', t.time)
    .addPrimaryKeyConstraint('failing_receivers_key', ['account_id', 'url'])
    .execute();
}
