import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../../types.ts';
import { createTable, types } from '../columns.ts';

/** Credentials and Signal records of links, and the journal of received events. */
export async function createNetworkTables(trx: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const t = types(dialect);

  await createTable(trx, dialect, 'network_links')
    .addColumn('link_id', t.text, (c) => c.primaryKey())
    .addColumn('fence', t.integer, (c) => c.notNull())
    .addColumn('creds', t.bytes, (c) => c.notNull())
    .addColumn('created_at', t.time, (c) => c.notNull())
    .execute();

  await createTable(trx, dialect, 'network_records')
    .addColumn('link_id', t.text, (c) => c.notNull())
    .addColumn('kind', t.text, (c) => c.notNull())
    .addColumn('id', t.text, (c) => c.notNull())
    .addColumn('value', t.bytes, (c) => c.notNull())
    .addColumn('expires_at', t.time)
    .addPrimaryKeyConstraint('network_records_key', ['link_id', 'kind', 'id'])
    .execute();
  await trx.schema
    .createIndex('network_records_to_drop')
    .on('network_records')
    .column('expires_at')
    .where(sql.ref('expires_at'), 'is not', null)
    .execute();

  await createTable(trx, dialect, 'network_journal')
    .addColumn('link_id', t.text, (c) => c.notNull())
    .addColumn('digest', t.text, (c) => c.notNull())
    .addColumn('event_key', t.text)
    .addColumn('seq', t.integer, (c) => c.notNull())
    .addColumn('value', t.bytes)
    .addColumn('taken_at', t.time)
    .addPrimaryKeyConstraint('network_journal_key', ['link_id', 'digest'])
    .addUniqueConstraint('network_journal_event', ['link_id', 'event_key'])
    .execute();
  await trx.schema
    .createIndex('network_journal_waiting')
    .on('network_journal')
    .columns(['link_id', 'seq'])
    .where(sql.ref('taken_at'), 'is', null)
    .execute();
  await trx.schema
    .createIndex('network_journal_to_drop')
    .on('network_journal')
    .column('taken_at')
    .where(sql.ref('taken_at'), 'is not', null)
    .execute();

  await createTable(trx, dialect, 'client_versions')
    .addColumn('client', t.text, (c) => c.primaryKey())
    .addColumn('version', t.text, (c) => c.notNull())
    .addColumn('at', t.time, (c) => c.notNull())
    .execute();

  await createTable(trx, dialect, 'network_drift')
    .addColumn('part', t.text, (c) => c.notNull())
    .addColumn('name', t.text, (c) => c.notNull())
    .addColumn('count', t.integer, (c) => c.notNull())
    .addColumn('first_seen', t.time, (c) => c.notNull())
    .addColumn('last_seen', t.time, (c) => c.notNull())
    .addColumn('sample', t.text, (c) => c.notNull())
    .addPrimaryKeyConstraint('network_drift_key', ['part', 'name'])
    .execute();
}
