import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { limits } from '../transactions.ts';

// A busy machine must make tests slow, not red.
limits.transactionMs = 60_000;

/** Contains the process id, so that the process can find its leftovers in the end. */
export const FOLDER_PREFIX = `parley-test-${process.pid}-`;
export const DATABASE_PREFIX = `parley_test_${process.pid}_`;

/** An empty database for one test. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Empty, or a copy of the file `template`. */
export async function createSqliteDatabase(template?: string): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
  const file = join(folder, 'parley.db');
  if (template) copyFileSync(template, file);
  return {
    url: `sqlite:${file}`,
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Validates PARLEY_TEST_POSTGRES_URL, or fails in one line. */
export function requirePostgres(url: string | undefined): string {
  if (url) return url;
  throw new Error('PARLEY_TEST_POSTGRES_URL is not set: use `npm test`, which starts PostgreSQL.');
}

/** Empty, or a copy of `template`. */
export async function createPostgresDatabase(serverUrl: string, template?: string): Promise<TestDatabase> {
  const name = `${DATABASE_PREFIX}${randomBytes(6).toString('hex')}`;
  await administer(serverUrl, `create database ${name}${template ? ` template ${template}` : ''}`);
  return {
    url: databaseUrl(serverUrl, name),
    drop: () => administer(serverUrl, `drop database ${name} with (force)`),
  };
}

export async function dropDatabasesOf(serverUrl: string, prefix: string): Promise<void> {
  await withClient(serverUrl, async (client) => {
    const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [
      prefix,
    ]);
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  });
}

/**
 * Creates a template database once per server, for all test processes: filling it takes longer than most tests. The first process
 * creates it, and the others wait.
 */
export async function providePostgresTemplate(
  serverUrl: string,
  name: string,
  fill: (url: string) => Promise<void>,
): Promise<string> {
  await withClient(serverUrl, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rows.length > 0) return;
    const unfinished = `${name}_${randomBytes(4).toString('hex')}`;
    await client.query(`create database ${unfinished}`);
    await fill(databaseUrl(serverUrl, unfinished));
    await client.query(`alter database ${unfinished} rename to ${name}`);
  });
  return name;
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = name;
  return url.href;
}

async function administer(serverUrl: string, statement: string): Promise<void> {
  await withClient(serverUrl, (client) => client.query(statement));
}

async function withClient(serverUrl: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
