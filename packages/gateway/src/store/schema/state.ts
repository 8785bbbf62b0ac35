import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parseStoreUrl } from '../address.ts';
import { connectFailure, postgresFailure } from '../postgres/failures.ts';
import { createPool } from '../postgres/pool.ts';
import type { Dialect, Migration } from '../types.ts';
import { isMark } from './migrate.ts';
import type { SchemaVersionTable } from './tables.ts';

/** Which migrations a database has, and which it would get. */
export interface SchemaState {
  readonly dialect: Dialect;
  readonly applied: readonly SchemaVersionTable[];
  readonly pending: readonly Migration[];
}

/** Looks without changing anything; a database that does not exist yet has nothing. */
export async function readSchemaState(url: string, migrations: readonly Migration[]): Promise<SchemaState> {
  const address = parseStoreUrl(url);
  const rows = address.dialect === 'sqlite' ? readSqlite(address.path) : await readPostgres(address.url);
  const applied = rows.filter((row) => !isMark(row));
  const newest = applied.at(-1)?.version ?? 0;
  const pending = migrations.filter(({ version }) => version > newest);
  return { dialect: address.dialect, applied, pending };
}

const VERSIONS = 'SELECT version, name, applied_at FROM schema_version ORDER BY version';

function readSqlite(path: string): SchemaVersionTable[] {
  if (!existsSync(path)) return [];
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const made = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'schema_version'").get();
    return made ? (db.prepare(VERSIONS).all() as unknown as SchemaVersionTable[]) : [];
  } finally {
    db.close();
  }
}

async function readPostgres(url: string): Promise<SchemaVersionTable[]> {
  const pool = createPool({ url, max: 1, readOnly: true, log: undefined });
  try {
    const client = await pool.connect().catch((error: unknown) => {
      throw connectFailure(url, error);
    });
    client.release();
    const made = await pool.query("SELECT to_regclass('schema_version') IS NOT NULL AS made");
    return made.rows[0]?.made ? (await pool.query<SchemaVersionTable>(VERSIONS)).rows : [];
  } catch (error) {
    throw postgresFailure(error);
  } finally {
    await pool.end();
  }
}
