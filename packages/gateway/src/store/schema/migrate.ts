import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '#kernel';
import { StoreError } from '../errors.ts';
import { refuseMark } from '../marks.ts';
import { createTable, types } from '../migrations/columns.ts';
import type { Dialect, Migration } from '../types.ts';
import type { Tables } from './tables.ts';

interface MigrateOptions {
  /** Holds the lock against every other process that opens this database. */
  readonly trx: Transaction<unknown>;
  readonly dialect: Dialect;
  readonly migrations: readonly Migration[];
  readonly clock: Pick<Clock, 'now'>;
}

/** Brings the schema to the newest version known here, all of it or none. */
export async function migrate({ trx, dialect, migrations, clock }: MigrateOptions): Promise<void> {
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
  for (const migration of migrations) {
    if (migration.version <= current) continue;
    await migration.up(trx, dialect);
    await versions
      .insertInto('schema_version')
      .values({ version: migration.version, name: migration.name, applied_at: clock.now() })
      .execute();
  }
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
