import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../../types.ts';
import { createTable, types } from '../columns.ts';

/** Links of numbers, their hosts, and pairing attempts. */
export async function createSessionsTables(trx: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const t = types(dialect);

  await createTable(trx, dialect, 'sessions')
    .addColumn('slot_id', t.text, (c) => c.primaryKey().references('devices.slot_id'))
    .addColumn('account_id', t.text, (c) => c.notNull())
    .addColumn('phone', t.text, (c) => c.notNull())
    .addColumn('session_id', t.text, (c) => c.notNull())
    .addColumn('link_id', t.text, (c) => c.notNull().unique())
    .addColumn('lid', t.text)
    .addColumn('status', t.text, (c) => c.notNull())
    .addColumn('since', t.time, (c) => c.notNull())
    .addColumn('reported', t.text)
    .addColumn('auto_reject', t.flag, (c) => c.notNull())
    .addColumn('worker', t.text)
    .addColumn('fence', t.integer, (c) => c.notNull())
    .addColumn('reason', t.text)
    .addColumn('reason_detail', t.text)
    .addColumn('reason_until', t.time)
    .addColumn('presence_policy', t.text, (c) => c.notNull().defaultTo('auto'))
    .execute();
  await trx.schema
    .createIndex('sessions_of_account')
    .on('sessions')
    .columns(['account_id', 'slot_id'])
    .execute();
  await trx.schema.createIndex('sessions_of_worker').on('sessions').columns(['worker', 'slot_id']).execute();

  await createTable(trx, dialect, 'onboardings')
    .addColumn('id', t.text, (c) => c.primaryKey())
    .addColumn('account_id', t.text, (c) => c.notNull())
    .addColumn('slot_id', t.text, (c) => c.notNull())
    .addColumn('phone', t.text, (c) => c.notNull())
    .addColumn('method', t.text, (c) => c.notNull())
    .addColumn('link_id', t.text, (c) => c.notNull())
    .addColumn('status', t.text, (c) => c.notNull())
    .addColumn('shown', t.bytes)
    .addColumn('shown_until', t.time)
    .addColumn('session_id', t.text)
    .addColumn('error', t.text)
    .addColumn('worker', t.text)
    .addColumn('created_at', t.time, (c) => c.notNull())
    .addColumn('expires_at', t.time, (c) => c.notNull())
    .addColumn('ended_at', t.time)
    .addColumn('answer', t.bytes)
    .addColumn('error_code', t.text)
    .execute();
  await trx.schema
    .createIndex('one_open_onboarding_per_number')
    .on('onboardings')
    .column('slot_id')
    .unique()
    .where(sql.ref('ended_at'), 'is', null)
    .execute();
  await trx.schema.createIndex('onboardings_to_drop').on('onboardings').column('ended_at').execute();

  await createTable(trx, dialect, 'onboarding_links')
    .addColumn('token_hash', t.bytes, (c) => c.primaryKey())
    .addColumn('onboarding_id', t.text)
    .addColumn('link_id', t.text)
    .addColumn('browser_hash', t.bytes)
    .addColumn('created_at', t.time, (c) => c.notNull())
    .execute();
  await trx.schema
    .createIndex('onboarding_links_to_drop')
    .on('onboarding_links')
    .column('created_at')
    .execute();

  await createTable(trx, dialect, 'workers')
    .addColumn('worker', t.text, (c) => c.primaryKey())
    .addColumn('started_at', t.time, (c) => c.notNull())
    .addColumn('last_seen', t.time, (c) => c.notNull())
    .addColumn('lease_expires_at', t.time, (c) => c.notNull())
    .addColumn('key_ids', t.text)
    .execute();

  await createTable(trx, dialect, 'ending_links')
    .addColumn('link_id', t.text, (c) => c.primaryKey())
    .addColumn('fence', t.integer, (c) => c.notNull())
    .addColumn('since', t.time, (c) => c.notNull())
    .addColumn('taken_until', t.time, (c) => c.notNull())
    .execute();
}
