import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { DummyDriver, Kysely, type Transaction } from 'kysely';
import type { Clock } from '#kernel';
import { parseStoreUrl } from '../address.ts';
import { kyselyDialect } from '../driver.ts';
import { StoreError } from '../errors.ts';
import { createTable, types } from '../migrations/columns.ts';
import { connectFailure, postgresFailure } from '../postgres/failures.ts';
import { createPool } from '../postgres/pool.ts';
import type { Dialect, Migration, StoreLog } from '../types.ts';
import type { SchemaVersionTable, Tables } from './tables.ts';

interface MigrateOptions {
  /** Holds the lock against every other process that opens this database. */
  readonly trx: Transaction<unknown>;
  readonly dialect: Dialect;
  readonly migrations: readonly Migration[];
  readonly clock: Pick<Clock, 'now'>;
}

/** Migrates the schema to the newest version known here, all steps or none. Returns the applied steps. */
export async function migrate({ trx, dialect, migrations, clock }: MigrateOptions): Promise<Migration[]> {
  assertAscending(migrations);
  const versions = trx.withTables<Pick<Tables, 'schema_version'>>();
  const type = types(dialect);
  await createTable(trx, dialect, 'schema_version')
    .ifNotExists()
    .addColumn('version', type.integer, (column) => column.primaryKey().notNull())
    .addColumn('name', type.text, (column) => column.notNull())
    .addColumn('applied_at', type.time, (column) => column.notNull())
    .execute();
  const current = await currentVersion(versions);
  const newest = migrations.at(-1)?.version ?? 0;
  refuseMark(current);
  if (current > newest) {
    throw new StoreError(
      'newer_schema',
      `The database has schema version ${current} and this Parley knows only up to ${newest}; start a newer Parley.`,
    );
  }
  const missing = migrations.filter(({ version }) => version > current);
  for (const migration of missing) {
    await migration.up(trx, dialect);
    await versions
      .insertInto('schema_version')
      .values({ version: migration.version, name: migration.name, applied_at: clock.now() })
      .execute();
  }
  return missing;
}

/** Logs the migrations of a start after their commit. */
export function describeMigrations(log: StoreLog | undefined, applied: readonly Migration[]): void {
  for (const { version, name } of applied) log?.info({ version, name }, 'the schema was brought forward');
}

async function currentVersion(versions: Kysely<Pick<Tables, 'schema_version'>>): Promise<number> {
  const last = await versions
    .selectFrom('schema_version')
    .select('version')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.version ?? 0;
}

function assertAscending(migrations: readonly Migration[]): void {
  let last = 0;
  for (const { version, name } of migrations) {
    if (version <= last)
      throw new TypeError(`Migration ${version} (${name}) must come after version ${last}.`);
    last = version;
  }
}

/**
 * Versions that no schema ever has. While one of them is among a database's versions, no Parley of any release opens it: to an older
 * one it looks like a newer schema. The name of such a row is the id of its move or backup.
 */
export const MARKS = {
  /** The data is being copied elsewhere. */
  movingAway: 1_000_001,
  /** The data was moved elsewhere. A number that runs in both places breaks its own encryption. */
  movedAway: 1_000_002,
  /** The data is not complete yet. */
  movingIn: 1_000_003,
  /** A backup's copy that is not restored yet. */
  inBackup: 1_000_004,
  /** The data was restored elsewhere from a backup, and is in use there. */
  restoredElsewhere: 1_000_005,
} as const;

export type MarkName = keyof typeof MARKS;

function isMark({ version }: Pick<SchemaVersionTable, 'version'>): boolean {
  return version >= MARKS.movingAway;
}

function refuseMark(version: number): void {
  switch (version) {
    case MARKS.movingAway:
      throw new StoreError(
        'being_moved',
        'This database is being moved to another one; finish that with parley migrate-store, or take it back with parley migrate-store --give-up.',
      );
    case MARKS.movedAway:
      throw new StoreError(
        'moved_away',
        'This database was moved to another one by parley migrate-store; set PARLEY_DATABASE_URL to that.',
      );
    case MARKS.movingIn:
      throw new StoreError(
        'being_moved',
        'This database is being filled by parley migrate-store; finish that first.',
      );
    case MARKS.inBackup:
      throw new StoreError(
        'in_backup',
        'This database comes out of a backup that was not restored to its end; run parley restore again.',
      );
    case MARKS.restoredElsewhere:
      throw new StoreError(
        'restored_elsewhere',
        'This database was restored elsewhere from a backup, and its numbers live there; once that copy is gone for good, parley restore --give-up opens this one again.',
      );
  }
}

/** Collects the statements that a migration would send, without a database: a migration changes the schema and reads nothing. */
export async function statementsOf(migration: Migration, dialect: Dialect): Promise<string[]> {
  const statements: string[] = [];
  const db = new Kysely<unknown>({
    dialect: kyselyDialect(dialect, () => new DummyDriver()),
    log: ({ query }) => void statements.push(query.sql),
  });
  await migration.up(db, dialect);
  return statements;
}

/** Applied and pending migrations of a database. */
export interface SchemaState {
  readonly dialect: Dialect;
  readonly applied: readonly SchemaVersionTable[];
  readonly pending: readonly Migration[];
}

/** Reads the state without changing anything; a missing database has no migrations. */
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
