import type { Kysely } from 'kysely';
import type { Dialect } from '../../types.ts';
import { createTable, numbered, types } from '../columns.ts';

/** The event log, and the quarantine of events that could not be stored. */
export async function createEventsTables(trx: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const t = types(dialect);

  await createTable(trx, dialect, 'events')
    .addColumn('seq', t.integer, numbered(dialect))
    .addColumn('tx', t.integer, (c) => c.notNull())
    .addColumn('account_id', t.text, (c) => c.notNull())
    .addColumn('slot_id', t.text, (c) => c.notNull())
    .addColumn('key', t.text, (c) => c.notNull())
    .addColumn('event_id', t.text, (c) => c.notNull())
    .addColumn('kind', t.text, (c) => c.notNull())
    .addColumn('at', t.time, (c) => c.notNull())
    .addColumn('expires_at', t.time, (c) => c.notNull())
    .addColumn('size', t.integer, (c) => c.notNull())
    .addColumn('body', t.json, (c) => c.notNull())
    .addColumn('sealed', t.bytes)
    .addColumn('extension', t.text)
    .addUniqueConstraint('events_once', ['slot_id', 'key'])
    .execute();
  await trx.schema
    .createIndex('events_of_account')
    .on('events')
    .columns(['account_id', 'tx', 'seq'])
    .execute();
  await trx.schema.createIndex('events_to_drop').on('events').column('expires_at').execute();

  await createTable(trx, dialect, 'quarantine')
    .addColumn('id', t.text, (c) => c.primaryKey())
    .addColumn('account_id', t.text, (c) => c.notNull())
    .addColumn('slot_id', t.text, (c) => c.notNull())
    .addColumn('kind', t.text, (c) => c.notNull())
    .addColumn('reason', t.text, (c) => c.notNull())
    .addColumn('size', t.integer, (c) => c.notNull())
    .addColumn('at', t.time, (c) => c.notNull())
    .addColumn('sealed', t.bytes, (c) => c.notNull())
    .execute();
  await trx.schema.createIndex('quarantine_by_time').on('quarantine').columns(['at', 'id']).execute();
}
