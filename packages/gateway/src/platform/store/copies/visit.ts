import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parseStoreUrl } from '../address.ts';
import { StoreError } from '../errors.ts';
import { connectFailure, postgresFailure } from '../postgres/failures.ts';
import { createPool } from '../postgres/pool.ts';
import { MARKS, type MarkName } from '../schema/migrate.ts';
import { sqliteFailure } from '../sqlite/failures.ts';
import type { SqlValue } from '../types.ts';

/**
 * A short inspection of a database that this process has not opened: it may be of another release, marked, or in use. Writes nothing
 * but marks.
 */
export interface Visit {
  /** The newest schema version, without marks; 0 for an empty database. */
  schemaVersion(): Promise<number>;
  /** The mark that keeps gateways away, and the id that it belongs to. */
  mark(): Promise<{ readonly name: MarkName; readonly of: string } | undefined>;
  setMark(name: MarkName, of: string, at: number): Promise<void>;
  clearMark(name: MarkName): Promise<void>;
  sealMarker(name: string): Promise<Uint8Array | undefined>;
  /** Processes that host numbers according to the database: their leases have not expired. */
  liveWorkers(now: number): Promise<string[]>;
  countRows(): Promise<Record<string, number>>;
  close(): Promise<void>;
}

/** `$1` stands for the first value. */
type Query = <Row>(sql: string, ...values: SqlValue[]) => Promise<Row[]>;

export async function visitDatabase(url: string): Promise<Visit> {
  const address = parseStoreUrl(url);
  return address.dialect === 'sqlite' ? visitSqlite(address.path) : visitPostgres(address.url);
}

function visitSqlite(path: string): Visit {
  if (!existsSync(path)) throw new StoreError('not_restorable', `There is no database ${path}.`);
  const db = new DatabaseSync(path, { timeout: 5_000 });
  const query: Query = async <Row>(sql: string, ...values: SqlValue[]) =>
    attempt(() => db.prepare(sql.replaceAll('$', '?')).all(...values) as Row[]);
  const named = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
  return createVisit(query, named, async () => db.close());
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw sqliteFailure(error) ?? error;
  }
}

async function visitPostgres(url: string): Promise<Visit> {
  const pool = createPool({ url, max: 1, log: undefined });
  const client = await pool.connect().catch(async (error: unknown) => {
    await pool.end();
    throw connectFailure(url, error);
  });
  client.release();
  const query: Query = async <Row>(sql: string, ...values: SqlValue[]) => {
    try {
      return (await pool.query(sql, values)).rows as Row[];
    } catch (error) {
      throw postgresFailure(error);
    }
  };
  // Partitions are counted with their table.
  const named =
    "SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace";
  return createVisit(query, named, () => pool.end());
}

const markNames: ReadonlyMap<number, MarkName> = new Map(
  Object.entries(MARKS).map(([name, version]) => [version, name as MarkName]),
);
const FIRST_MARK = Math.min(...Object.values(MARKS));

function createVisit(query: Query, named: string, close: () => Promise<void>): Visit {
  const tables = async (): Promise<string[]> =>
    (await query<{ name: string }>(`${named} ORDER BY name`)).map(({ name }) => name);
  const has = async (table: string): Promise<boolean> => (await tables()).includes(table);
  return {
    async schemaVersion() {
      if (!(await has('schema_version'))) return 0;
      const [row] = await query<{ version: number | null }>(
        'SELECT max(version) AS version FROM schema_version WHERE version < $1',
        FIRST_MARK,
      );
      return Number(row?.version ?? 0);
    },
    async mark() {
      if (!(await has('schema_version'))) return undefined;
      const [row] = await query<{ version: number; name: string }>(
        'SELECT version, name FROM schema_version WHERE version >= $1 ORDER BY version DESC LIMIT 1',
        FIRST_MARK,
      );
      const name = row && markNames.get(Number(row.version));
      return name && { name, of: row.name };
    },
    async setMark(name, of, at) {
      const sql = 'INSERT INTO schema_version (version, name, applied_at) VALUES ($1, $2, $3)';
      await query(sql, MARKS[name], of, at);
    },
    async clearMark(name) {
      await query('DELETE FROM schema_version WHERE version = $1', MARKS[name]);
    },
    async sealMarker(name) {
      if (!(await has('seal_markers'))) return undefined;
      const sql = 'SELECT sealed FROM seal_markers WHERE name = $1';
      return (await query<{ sealed: Uint8Array }>(sql, name))[0]?.sealed;
    },
    async liveWorkers(now) {
      if (!(await has('workers'))) return [];
      const sql = 'SELECT worker FROM workers WHERE lease_expires_at > $1 ORDER BY worker';
      return (await query<{ worker: string }>(sql, now)).map(({ worker }) => worker);
    },
    async countRows() {
      const counts: Record<string, number> = {};
      for (const name of await tables()) {
        const [row] = await query<{ rows: number }>(`SELECT count(*) AS rows FROM "${name}"`);
        counts[name] = Number(row?.rows ?? 0);
      }
      return counts;
    },
    close,
  };
}
