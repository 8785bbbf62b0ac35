import { sql } from 'kysely';
import type { Migration } from '../types.ts';

/** Rows that every send or renewal rewrites in place: with room on their page, a new version of a row touches no index. */
const REWRITTEN = ['send_limits', 'account_limits', 'device_periods', 'sessions', 'workers', 'network_links'];
/** Rows that come and go all day: cleaned when a fiftieth is dead, not a fifth of millions. */
const COMING_AND_GOING = [
  'outbox',
  'idempotency_keys',
  'events',
  'deliveries',
  'network_records',
  'network_journal',
];

/** How PostgreSQL keeps its tables in shape; SQLite reuses the space of dead rows at once. */
export const upkeep: Migration = {
  version: 8,
  name: 'upkeep',
  async up(trx, dialect) {
    if (dialect === 'sqlite') return;
    for (const table of REWRITTEN) {
      await sql`alter table ${sql.table(table)} set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)`.execute(
        trx,
      );
    }
    for (const table of COMING_AND_GOING) {
      await sql`alter table ${sql.table(table)} set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`.execute(
        trx,
      );
    }
    // Written once and then updated about three times, as it is sent, delivered and read.
    await sql`alter table messages set (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02)`.execute(trx);
  },
};
