import { Kysely, sql } from 'kysely';
import { linkDialect } from '../driver.ts';
import { isStoreError, StoreError } from '../errors.ts';
import { describeMigrations, migrate } from '../schema/migrate.ts';
import type { Migration, StoreLog, StoreOptions } from '../types.ts';
import { connectFailure, missingPoolerSetting } from './failures.ts';
import { acquireLink } from './link.ts';
import { createPool, type PgPool } from './pool.ts';

const OLDEST_SERVER = 15;
/** Any number that every Parley shares and no other program uses. */
const MIGRATION_LOCK = 7_275_395_300;
/** DDL waits for all current users of a table, and new users queue behind it. So it waits briefly, lets them pass, and tries again. */
const LOCK_WAIT_MS = 2_000;
const PAUSE_MS = 500;
const MOST_TRIES = 25;

/** Migrates the schema while other processes keep using it. */
export async function prepareDatabase(
  url: string,
  { migrations, clock, log }: Pick<StoreOptions, 'migrations' | 'clock' | 'log'>,
): Promise<void> {
  const pool = createPool({ url, max: 1, settings: { lock_timeout: `${LOCK_WAIT_MS}` }, log });
  const db = new Kysely<unknown>({ dialect: linkDialect('postgres', () => acquireLink(pool)) });

  const tryOnce = (): Promise<Migration[]> =>
    db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx);
      return migrate({ trx, dialect: 'postgres', migrations, clock });
    });

  try {
    await assertSupportedServer(pool, url, log);
    for (let tries = 1; ; tries++) {
      try {
        describeMigrations(log, await tryOnce());
        break;
      } catch (error) {
        if (!isStoreError(error, 'unavailable') || tries === MOST_TRIES) throw error;
        await clock.sleep(PAUSE_MS);
      }
    }
  } finally {
    await pool.end();
  }
}

async function assertSupportedServer(pool: PgPool, url: string, log: StoreLog | undefined): Promise<void> {
  const client = await pool.connect().catch((error: unknown) => {
    throw connectFailure(url, error);
  });
  const { rows } = await client.query<{ version: number; fsync: string; lock_wait: number }>(
    `select current_setting('server_version_num')::int / 10000 as version, current_setting('fsync') as fsync,
       extract(epoch from current_setting('lock_timeout')::interval) * 1000 as lock_wait`,
  );
  client.release();
  const [server] = rows;
  // Some poolers are configured to ignore startup parameters; then no session setting has any effect.
  if (pool.keepsSettings && server?.lock_wait !== LOCK_WAIT_MS) throw missingPoolerSetting(url);
  if (!server || server.version < OLDEST_SERVER) {
    const found = `PostgreSQL ${server?.version}`;
    throw new StoreError(
      'unsupported_server',
      `The server is ${found}; Parley needs ${OLDEST_SERVER} or newer.`,
    );
  }
  if (server.fsync === 'off')
    log?.warn({}, 'PostgreSQL runs with fsync off: a crash of its machine can lose accepted messages.');
}
