import { sql } from 'kysely';
import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

/** How numbers stand with the network, what was counted of them, and whom they know. */
export const health: Migration = {
  version: 15,
  name: 'health',
  async up(trx, dialect) {
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
      .addColumn('told', t.json, (c) => c.notNull())
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
    // Beside what is written with every message anyway.
    await trx.schema
      .alterTable('send_limits')
      .addColumn('new_chats', t.json, (c) => c.notNull().defaultTo('[]'))
      .execute();

    const counts =
      'sent new_chats replies refused_463_known refused_463_unknown ' +
      'refused_479 rate_overlimit undecryptable deaf disconnects held_back';
    let table = createTable(trx, dialect, 'health_counts')
      .addColumn('slot_id', t.text, (c) => c.notNull())
      .addColumn('starts_at', t.time, (c) => c.notNull())
      .addPrimaryKeyConstraint('health_counts_key', ['slot_id', 'starts_at']);
    for (const count of counts.split(' '))
      table = table.addColumn(count, t.integer, (c) => c.notNull().defaultTo(0)) as typeof table;
    await table.execute();
    await trx.schema.createIndex('health_counts_by_time').on('health_counts').column('starts_at').execute();

    await createTable(trx, dialect, 'known_people')
      .addColumn('slot_id', t.text, (c) => c.notNull())
      .addColumn('person', t.text, (c) => c.notNull())
      .addColumn('written_at', t.time)
      .addColumn('reached_at', t.time)
      .addColumn('answered_at', t.time)
      .addPrimaryKeyConstraint('known_people_key', ['slot_id', 'person'])
      .execute();
    // Whom a number has reached before is nobody new to it.
    await sql`
      insert into "known_people" (slot_id, person, reached_at)
      select slot_id, to_jid, min(updated_at) from messages
      where status not in ('accepted', 'failed') and (to_jid like '%@s.whatsapp.net' or to_jid like '%@lid')
      group by slot_id, to_jid`.execute(trx);
  },
};
