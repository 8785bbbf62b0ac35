import { readFileSync } from 'node:fs';
import pg from 'pg';

const TICKS_PER_SECOND = 100;

export interface PostgresUsage {
  /** Of its current processes; those that ended are not counted. */
  readonly cpuSeconds: number;
  /** Bytes written to its WAL since its creation. */
  readonly logBytes: number;
}

/** Usage of a server on this machine. */
export async function postgresUsage(url: string): Promise<PostgresUsage> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pid FROM pg_stat_activity');
  const log = await client.query<{ bytes: string }>(
    "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS bytes",
  );
  await client.end();
  return {
    cpuSeconds: rows.reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0),
    logBytes: Number(log.rows[0]?.bytes),
  };
}

function cpuSecondsOf(pid: number): number {
  try {
    // After the name, which may contain anything, at its last bracket; the 12th and 13th are user and system time.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}
