import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

export const messages: Migration = {
  version: 6,
  name: 'messages',
  async up(trx, dialect) {
    const t = types(dialect);

    await createTable(trx, dialect, 'messages')
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

    await createTable(trx, dialect, 'outbox')
      .addColumn('slot_id', t.text, (c) => c.notNull())
      .addColumn('seq', t.integer, (c) => c.notNull())
      .addColumn('message_id', t.text, (c) => c.notNull())
      .addColumn('sealed', t.bytes, (c) => c.notNull())
      .addColumn('attempts', t.integer, (c) => c.notNull())
      .addColumn('due_at', t.time, (c) => c.notNull())
      .addPrimaryKeyConstraint('outbox_key', ['slot_id', 'seq'])
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
      .execute();

    await createTable(trx, dialect, 'account_limits')
      .addColumn('account_id', t.text, (c) => c.primaryKey())
      .addColumn('full_at', t.real, (c) => c.notNull())
      .execute();
  },
};
