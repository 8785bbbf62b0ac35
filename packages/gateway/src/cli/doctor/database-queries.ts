import { sql } from 'kysely';
import type { Store } from '#platform/store';

export async function serverVersion({ read, dialect }: Pick<Store, 'read' | 'dialect'>): Promise<string> {
  if (dialect === 'sqlite') {
    const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(read);
    return `SQLite ${rows[0]?.version}`;
  }
  const { rows } = await sql<{
    version: string;
  }>`select current_setting('server_version') as version`.execute(read);
  return `PostgreSQL ${rows[0]?.version}`;
}

/** By the server's own clock, epoch ms. */
export async function serverNow({ read }: Pick<Store, 'read'>): Promise<number> {
  const asked = sql<{ now: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`;
  return Number((await asked.execute(read)).rows[0]?.now);
}
