import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../../types.ts';
import { createTable, types } from '../columns.ts';

/** Conversations that an account keeps. */
export async function createHistoryTables(trx: Kysely<unknown>, dialect: Dialect): Promise<void> {
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
    .where(sql.ref('ended_at'), 'is', null)
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
    .addColumn('past_at', t.time)
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
    .addColumn('author', t.text)
    .addPrimaryKeyConstraint('history_messages_key', ['history_id', 'message_id', 'chat', 'from_me'])
    .execute();
  await trx.schema
    .createIndex('history_messages_by_time')
    .on('history_messages')
    .columns(['history_id', 'chat', 'at', 'seq'])
    .execute();
  // Few messages expire; the others have no entry here.
  await trx.schema
    .createIndex('history_messages_to_drop')
    .on('history_messages')
    .column('expires_at')
    .where(sql.ref('expires_at'), 'is not', null)
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

  await createTable(trx, dialect, 'history_imports')
    .addColumn('history_id', t.text, (c) => c.notNull())
    .addColumn('import_id', t.text, (c) => c.notNull())
    .addColumn('state', t.text, (c) => c.notNull())
    .addColumn('progress', t.integer)
    .addColumn('messages', t.integer, (c) => c.notNull())
    .addColumn('chats', t.integer, (c) => c.notNull())
    .addColumn('started_at', t.time, (c) => c.notNull())
    .addColumn('updated_at', t.time, (c) => c.notNull())
    .addPrimaryKeyConstraint('history_imports_key', ['history_id', 'import_id'])
    .execute();
}
