import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

/** What numbers keep of their conversations, where that was asked for, and the keys that it is sealed under. */
export const history: Migration = {
  version: 16,
  name: 'history',
  async up(trx, dialect) {
    const t = types(dialect);

    await createTable(trx, dialect, 'data_keys')
      .addColumn('account_id', t.text, (c) => c.primaryKey())
      .addColumn('sealed', t.bytes, (c) => c.notNull())
      .addColumn('created_at', t.time, (c) => c.notNull())
      .execute();

    await createTable(trx, dialect, 'histories')
      .addColumn('id', t.text, (c) => c.primaryKey())
      .addColumn('slot_id', t.text, (c) => c.notNull())
      .addColumn('account_id', t.text, (c) => c.notNull())
      .addColumn('days', t.integer, (c) => c.notNull())
      .addColumn('media', t.flag, (c) => c.notNull())
      .addColumn('since', t.time, (c) => c.notNull())
      .addColumn('ended_at', t.time)
      .execute();
    await trx.schema
      .createIndex('histories_on')
      .unique()
      .on('histories')
      .column('slot_id')
      .where('ended_at' as never, 'is', null)
      .execute();

    await createTable(trx, dialect, 'history_chats')
      .addColumn('history_id', t.text, (c) => c.notNull())
      .addColumn('chat', t.text, (c) => c.notNull())
      .addColumn('last_at', t.time, (c) => c.notNull())
      .addColumn('last_seq', t.integer, (c) => c.notNull())
      .addColumn('oldest_at', t.time, (c) => c.notNull())
      .addColumn('messages', t.integer, (c) => c.notNull())
      .addColumn('bytes', t.integer, (c) => c.notNull())
      .addColumn('unread', t.integer, (c) => c.notNull())
      .addColumn('archived', t.flag, (c) => c.notNull())
      .addColumn('pinned', t.flag, (c) => c.notNull())
      .addColumn('muted_until', t.time)
      .addColumn('cleared_at', t.time, (c) => c.notNull())
      .addColumn('cleared_seq', t.integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('history_chats_key', ['history_id', 'chat'])
      .execute();
    await trx.schema
      .createIndex('history_chats_by_time')
      .on('history_chats')
      .columns(['history_id', 'last_at', 'chat'])
      .execute();

    await createTable(trx, dialect, 'history_messages')
      .addColumn('history_id', t.text, (c) => c.notNull())
      .addColumn('message_id', t.text, (c) => c.notNull())
      .addColumn('chat', t.text, (c) => c.notNull())
      .addColumn('from_me', t.flag, (c) => c.notNull())
      .addColumn('at', t.time, (c) => c.notNull())
      .addColumn('seq', t.integer, (c) => c.notNull())
      .addColumn('bytes', t.integer, (c) => c.notNull())
      .addColumn('state', t.integer, (c) => c.notNull())
      .addColumn('sealed', t.bytes)
      .addColumn('revoked_at', t.time)
      .addColumn('expires_at', t.time)
      .addPrimaryKeyConstraint('history_messages_key', ['history_id', 'message_id', 'chat', 'from_me'])
      .execute();
    await trx.schema
      .createIndex('history_messages_by_time')
      .on('history_messages')
      .columns(['history_id', 'chat', 'at', 'seq'])
      .execute();
    // Few messages disappear by themselves; the others have no entry here.
    await trx.schema
      .createIndex('history_messages_to_drop')
      .on('history_messages')
      .column('expires_at')
      .where('expires_at' as never, 'is not', null)
      .execute();

    await createTable(trx, dialect, 'history_marks')
      .addColumn('history_id', t.text, (c) => c.notNull())
      .addColumn('chat', t.text, (c) => c.notNull())
      .addColumn('target_id', t.text, (c) => c.notNull())
      .addColumn('kind', t.text, (c) => c.notNull())
      .addColumn('author', t.text, (c) => c.notNull())
      .addColumn('from_me', t.flag, (c) => c.notNull())
      .addColumn('at', t.time, (c) => c.notNull())
      .addColumn('sealed', t.bytes)
      .addPrimaryKeyConstraint('history_marks_key', ['history_id', 'chat', 'target_id', 'kind', 'author'])
      .execute();
  },
};
