import type { Kysely } from 'kysely';
import type { Dialect } from '../../types.ts';
import { createTable, types } from '../columns.ts';

/** Health of numbers, and counters of the gateway. */
export async function createHealthTables(trx: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const t = types(dialect);

  await createTable(trx, dialect, 'number_health')
    .addColumn('slot_id', t.text, (c) => c.primaryKey())
    .addColumn('account_id', t.text, (c) => c.notNull())
    .addColumn('session_id', t.text, (c) => c.notNull())
    .addColumn('link_id', t.text, (c) => c.notNull())
    .addColumn('linked_at', t.time, (c) => c.notNull())
    .addColumn('is_linked', t.flag, (c) => c.notNull())
    .addColumn('state', t.text, (c) => c.notNull())
    .addColumn('since', t.time, (c) => c.notNull())
    .addColumn('published', t.json, (c) => c.notNull())
    .addColumn('version', t.integer, (c) => c.notNull())
    .addColumn('due_at', t.time)
    .addColumn('lock_type', t.text)
    .addColumn('lock_until', t.time)
    .addColumn('ban_kind', t.text)
    .addColumn('ban_code', t.integer)
    .addColumn('ban_until', t.time)
    .addColumn('quota', t.integer)
    .addColumn('quota_used', t.integer)
    .addColumn('quota_ends', t.time)
    .addColumn('quota_warning', t.text)
    .addColumn('quota_spent', t.integer, (c) => c.notNull())
    .addColumn('refusals', t.json, (c) => c.notNull())
    .addColumn('paused_until', t.time)
    .addColumn('repeated_until', t.time)
    .addColumn('trouble_until', t.time)
    .addColumn('pacing', t.json)
    .addColumn('inbound_at', t.time)
    .execute();
  await trx.schema.createIndex('number_health_due').on('number_health').column('due_at').execute();

  await createTable(trx, dialect, 'health_counts')
    .addColumn('slot_id', t.text, (c) => c.notNull())
    .addColumn('starts_at', t.time, (c) => c.notNull())
    .addColumn('sent', t.integer, (c) => c.notNull().defaultTo(0))
    .addColumn('new_chats', t.integer, (c) => c.notNull().defaultTo(0))
    .addColumn('replies', t.integer, (c) => c.notNull().defaultTo(0))
    .addColumn('refused_463_known', t.integer, (c) => c.notNull().defaultTo(0))
    .addColumn('refused_463_unknown', t.integer, (c) => c.notNull().defaultTo(0))
    .addColumn('refused_479', t.integer, (c) => c.notNull().defaultTo(0))
    .addColumn('rate_overlimit', t.integer, (c) => c.notNull().defaultTo(0))
    .addColumn('undecryptable', t.integer, (c) => c.notNull().defaultTo(0))
    .addColumn('deaf', t.integer, (c) => c.notNull().defaultTo(0))
    .addColumn('disconnects', t.integer, (c) => c.notNull().defaultTo(0))
    .addColumn('held_back', t.integer, (c) => c.notNull().defaultTo(0))
    .addColumn('received', t.integer, (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('health_counts_key', ['slot_id', 'starts_at'])
    .execute();
  await trx.schema.createIndex('health_counts_by_time').on('health_counts').column('starts_at').execute();

  await createTable(trx, dialect, 'known_people')
    .addColumn('slot_id', t.text, (c) => c.notNull())
    .addColumn('person', t.text, (c) => c.notNull())
    .addColumn('written_at', t.time)
    .addColumn('reached_at', t.time)
    .addColumn('answered_at', t.time)
    .addPrimaryKeyConstraint('known_people_key', ['slot_id', 'person'])
    .execute();

  await createTable(trx, dialect, 'sent_days')
    .addColumn('slot_id', t.text, (c) => c.notNull())
    .addColumn('day', t.integer, (c) => c.notNull())
    .addColumn('accepted', t.integer, (c) => c.notNull())
    .addColumn('sent', t.integer, (c) => c.notNull())
    .addColumn('delivered', t.integer, (c) => c.notNull())
    .addColumn('failed', t.integer, (c) => c.notNull())
    .addColumn('is_stale', t.flag, (c) => c.notNull())
    .addPrimaryKeyConstraint('sent_days_key', ['slot_id', 'day'])
    .execute();

  await createTable(trx, dialect, 'throughput')
    .addColumn('span', t.text, (c) => c.notNull())
    .addColumn('starts_at', t.time, (c) => c.notNull())
    .addColumn('accepted', t.integer, (c) => c.notNull())
    .addColumn('sent', t.integer, (c) => c.notNull())
    .addColumn('received', t.integer, (c) => c.notNull())
    .addColumn('delivered', t.integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('throughput_key', ['span', 'starts_at'])
    .execute();
}
