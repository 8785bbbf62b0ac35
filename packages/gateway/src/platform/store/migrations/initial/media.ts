import type { Kysely } from 'kysely';
import type { Dialect } from '../../types.ts';
import { createTable, types } from '../columns.ts';

/** Stored files and who uses them. */
export async function createMediaTables(trx: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const t = types(dialect);

  await createTable(trx, dialect, 'media')
    .addColumn('id', t.text, (c) => c.primaryKey())
    .addColumn('account_id', t.text, (c) => c.notNull())
    .addColumn('phone', t.text)
    .addColumn('object_id', t.text, (c) => c.notNull())
    .addColumn('size', t.integer, (c) => c.notNull())
    .addColumn('details', t.bytes, (c) => c.notNull())
    .addColumn('made_at', t.time, (c) => c.notNull())
    .addColumn('expires_at', t.time, (c) => c.notNull())
    .execute();
  await trx.schema.createIndex('media_to_drop').on('media').column('expires_at').execute();
  await trx.schema.createIndex('media_of_objects').on('media').column('object_id').execute();

  await createTable(trx, dialect, 'media_objects')
    .addColumn('id', t.text, (c) => c.primaryKey())
    .addColumn('account_id', t.text, (c) => c.notNull())
    .addColumn('fingerprint', t.bytes, (c) => c.notNull())
    .addColumn('size', t.integer, (c) => c.notNull())
    .addColumn('uses', t.integer, (c) => c.notNull())
    .addColumn('made_at', t.time, (c) => c.notNull())
    .addColumn('budget', t.text)
    .execute();
  await trx.schema
    .createIndex('media_objects_once')
    .on('media_objects')
    .columns(['account_id', 'fingerprint'])
    .unique()
    .execute();

  await createTable(trx, dialect, 'media_pins')
    .addColumn('media_id', t.text, (c) => c.notNull())
    .addColumn('slot_id', t.text, (c) => c.notNull())
    .addColumn('seq', t.integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('media_pins_key', ['media_id', 'slot_id', 'seq'])
    .execute();

  await createTable(trx, dialect, 'media_arrivals')
    .addColumn('media_id', t.text, (c) => c.primaryKey())
    .addColumn('slot_id', t.text, (c) => c.notNull())
    .addColumn('history_id', t.text)
    .addColumn('chat', t.text)
    .addColumn('message_id', t.text)
    .addColumn('copy_until', t.time)
    .execute();
  await trx.schema
    .createIndex('media_arrivals_kept')
    .on('media_arrivals')
    .columns(['history_id', 'chat', 'message_id'])
    .execute();
  await trx.schema.createIndex('media_arrivals_copies').on('media_arrivals').column('copy_until').execute();

  await createTable(trx, dialect, 'media_reservations')
    .addColumn('id', t.text, (c) => c.primaryKey())
    .addColumn('account_id', t.text, (c) => c.notNull())
    .addColumn('budget', t.text, (c) => c.notNull())
    .addColumn('size', t.integer, (c) => c.notNull())
    .addColumn('holder', t.text, (c) => c.notNull())
    .addColumn('expires_at', t.time, (c) => c.notNull())
    .execute();
  await trx.schema
    .createIndex('media_reservations_of_account')
    .on('media_reservations')
    .column('account_id')
    .execute();
  await trx.schema
    .createIndex('media_reservations_of_holder')
    .on('media_reservations')
    .column('holder')
    .execute();
}
