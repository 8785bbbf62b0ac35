import { type Kysely, sql } from 'kysely';

/** Rows that every send or renewal rewrites in place: with free space on their page, a new row version touches no index. */
const REWRITTEN = ['send_limits', 'account_limits', 'device_periods', 'sessions', 'workers', 'network_links'];
/** Short-lived rows: vacuumed when a fiftieth is dead, instead of a fifth of millions. */
const COMING_AND_GOING = [
  'outbox',
  'idempotency_keys',
  'events',
  'deliveries',
  'network_records',
  'network_journal',
];

/** Storage parameters of PostgreSQL; SQLite reuses the space of dead rows at once. */
export async function setStorageParameters(trx: Kysely<unknown>): Promise<void> {
  for (const table of REWRITTEN)
    await sql`alter table ${sql.table(table)} set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)`.execute(
      trx,
    );
  for (const table of COMING_AND_GOING)
    await sql`alter table ${sql.table(table)} set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`.execute(
      trx,
    );
}
