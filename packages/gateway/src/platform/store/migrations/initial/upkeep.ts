import type { Kysely } from 'kysely';
import type { Dialect } from '../../types.ts';
import { createTable, numbered, types } from '../columns.ts';

/** Exports and deletions of accounts, mail, the request log and the write probe. */
export async function createUpkeepTables(trx: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const t = types(dialect);

  await createTable(trx, dialect, 'account_exports')
    .addColumn('id', t.text, (c) => c.primaryKey())
    .addColumn('account_id', t.text, (c) => c.notNull())
    .addColumn('asked_by', t.text, (c) => c.notNull())
    .addColumn('asked_at', t.time, (c) => c.notNull())
    .addColumn('state', t.text, (c) => c.notNull())
    .addColumn('steps_done', t.integer, (c) => c.notNull())
    .addColumn('rows_written', t.integer, (c) => c.notNull())
    .addColumn('taken_until', t.time, (c) => c.notNull())
    .addColumn('media_id', t.text)
    .addColumn('size', t.integer)
    .addColumn('ready_at', t.time)
    .addColumn('pieces', t.text)
    .addColumn('failures', t.integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await trx.schema
    .createIndex('account_exports_of_account')
    .on('account_exports')
    .columns(['account_id', 'id'])
    .execute();

  await createTable(trx, dialect, 'account_deletions')
    .addColumn('account_id', t.text, (c) => c.primaryKey())
    .addColumn('asked_by', t.text, (c) => c.notNull())
    .addColumn('asked_at', t.time, (c) => c.notNull())
    .addColumn('due_at', t.time, (c) => c.notNull())
    .addColumn('links', t.json)
    .execute();

  await createTable(trx, dialect, 'mail_outbox')
    .addColumn('id', t.text, (c) => c.primaryKey())
    .addColumn('kind', t.text, (c) => c.notNull())
    .addColumn('sealed', t.bytes, (c) => c.notNull())
    .addColumn('attempts', t.integer, (c) => c.notNull())
    .addColumn('due_at', t.time, (c) => c.notNull())
    .addColumn('expires_at', t.time, (c) => c.notNull())
    .addColumn('created_at', t.time, (c) => c.notNull())
    .execute();
  await trx.schema.createIndex('mail_outbox_due').on('mail_outbox').column('due_at').execute();

  await createTable(trx, dialect, 'api_requests')
    .addColumn('seq', t.integer, numbered(dialect))
    .addColumn('account_id', t.text, (c) => c.notNull())
    .addColumn('key_id', t.text, (c) => c.notNull())
    .addColumn('at', t.time, (c) => c.notNull())
    .addColumn('method', t.text, (c) => c.notNull())
    .addColumn('path', t.text, (c) => c.notNull())
    .addColumn('status', t.integer, (c) => c.notNull())
    .addColumn('duration_ms', t.integer, (c) => c.notNull())
    .addColumn('error', t.text)
    .addColumn('request_id', t.text, (c) => c.notNull())
    .execute();
  await trx.schema
    .createIndex('api_requests_of_account')
    .on('api_requests')
    .columns(['account_id', 'seq'])
    .execute();
  await trx.schema.createIndex('api_requests_of_key').on('api_requests').columns(['key_id', 'seq']).execute();
  await trx.schema.createIndex('api_requests_by_age').on('api_requests').columns(['at']).execute();

  await createTable(trx, dialect, 'seal_markers')
    .addColumn('name', t.text, (c) => c.primaryKey())
    .addColumn('sealed', t.bytes, (c) => c.notNull())
    .addColumn('made_at', t.time, (c) => c.notNull())
    .execute();

  await createTable(trx, dialect, 'write_probes')
    .addColumn('id', t.integer, numbered(dialect))
    .addColumn('filler', t.bytes, (c) => c.notNull())
    .execute();
}
