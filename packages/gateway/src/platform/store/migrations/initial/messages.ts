import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../../types.ts';
import { createTable, types } from '../columns.ts';

/** Accepted messages, the outbox and send limits. */
export async function createMessagesTables(trx: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const t = types(dialect);

  await createMessages(trx, dialect);

  await createTable(trx, dialect, 'outbox')
    .addColumn('slot_id', t.text, (c) => c.notNull())
    .addColumn('seq', t.integer, (c) => c.notNull())
    .addColumn('message_id', t.text, (c) => c.notNull())
    .addColumn('sealed', t.bytes, (c) => c.notNull())
    .addColumn('attempts', t.integer, (c) => c.notNull())
    .addColumn('due_at', t.time, (c) => c.notNull())
    .addColumn('holds_number', t.flag, (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('outbox_key', ['slot_id', 'seq'])
    .execute();
  // Hardly any row, and found without reading the queue.
  await trx.schema
    .createIndex('outbox_holding')
    .on('outbox')
    .column('slot_id')
    .where(sql.ref('holds_number'), '=', sql.lit(1))
    .execute();

  await createTable(trx, dialect, 'idempotency_keys')
    .addColumn('account_id', t.text, (c) => c.notNull())
    .addColumn('key', t.text, (c) => c.notNull())
    .addColumn('request_hash', t.bytes, (c) => c.notNull())
    .addColumn('message_id', t.text, (c) => c.notNull())
    .addColumn('created_at', t.time, (c) => c.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_key', ['account_id', 'key'])
    .execute();
  await trx.schema
    .createIndex('idempotency_keys_to_drop')
    .on('idempotency_keys')
    .column('created_at')
    .execute();

  await createTable(trx, dialect, 'send_limits')
    .addColumn('slot_id', t.text, (c) => c.primaryKey())
    .addColumn('plan_full_at', t.real, (c) => c.notNull())
    .addColumn('session_full_at', t.real, (c) => c.notNull())
    .addColumn('run_length', t.integer, (c) => c.notNull())
    .addColumn('last_sent_at', t.time, (c) => c.notNull())
    .addColumn('paused_until', t.time, (c) => c.notNull())
    .addColumn('next_seq', t.integer, (c) => c.notNull())
    // Start of a run of messages: in its first minute the plan's rate allows a burst, afterwards an even pace.
    .addColumn('run_since', t.time, (c) => c.notNull().defaultTo(0))
    // Counted here because this row is written with every message anyway.
    .addColumn('new_chats', t.json, (c) => c.notNull().defaultTo('[]'))
    .execute();

  await createTable(trx, dialect, 'account_limits')
    .addColumn('account_id', t.text, (c) => c.primaryKey())
    .addColumn('full_at', t.real, (c) => c.notNull())
    .execute();

  await createTable(trx, dialect, 'message_traces')
    .addColumn('message_id', t.text, (c) => c.primaryKey())
    .addColumn('account_id', t.text, (c) => c.notNull())
    .addColumn('traceparent', t.text, (c) => c.notNull())
    .addColumn('at', t.time, (c) => c.notNull())
    .execute();
  await trx.schema.createIndex('message_traces_by_age').on('message_traces').column('at').execute();
}

/** On PostgreSQL `messages` is partitioned by week; `messages_rest` takes rows outside all weeks. See docs/adr/0031. */
async function createMessages(trx: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const t = types(dialect);
  const name = dialect === 'postgres' ? 'messages_rest' : 'messages';
  await createTable(trx, dialect, name)
    .addColumn('id', t.text, (c) => c.primaryKey())
    .addColumn('account_id', t.text, (c) => c.notNull())
    .addColumn('slot_id', t.text, (c) => c.notNull())
    .addColumn('session_id', t.text, (c) => c.notNull())
    .addColumn('request_id', t.text, (c) => c.notNull())
    .addColumn('to_jid', t.text, (c) => c.notNull())
    .addColumn('type', t.text, (c) => c.notNull())
    .addColumn('status', t.text, (c) => c.notNull())
    .addColumn('reason', t.text)
    .addColumn('accepted_at', t.time, (c) => c.notNull())
    .addColumn('updated_at', t.time, (c) => c.notNull())
    .execute();
  // Sent messages of a number, newest first; message ids begin with the time.
  await trx.schema.createIndex(`${name}_of_number`).on(name).columns(['slot_id', 'id']).execute();
  if (dialect === 'sqlite') return;
  for (const statement of [
    // Inserted once and then updated about three times: sent, delivered, read.
    sql`alter table "messages_rest" set (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02)`,
    sql`create table "messages" (like "messages_rest" including defaults) partition by range ("id")`,
    sql`alter table "messages" add primary key ("id")`,
    sql`create index "messages_of_number" on "messages" ("slot_id", "id")`,
    sql`alter table "messages" attach partition "messages_rest" default`,
  ])
    await statement.execute(trx);
}
