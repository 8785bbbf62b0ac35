import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** An empty database for one test alone. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

export async function createSqliteDatabase(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  return {
    url: `sqlite:${join(folder, 'parley.db')}`,
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Turns the value of PARLEY_TEST_POSTGRES_URL into a server to test against, or fails in one line. */
export function requirePostgres(url: string | undefined): string {
  if (url) return url;
  throw new Error('PARLEY_TEST_POSTGRES_URL is not set: use `npm test`, which starts PostgreSQL.');
}

export async function createPostgresDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `parley_test_${randomBytes(6).toString('hex')}`;
  await administer(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = name;
  return { url: url.href, drop: () => administer(serverUrl, `drop database ${name} with (force)`) };
}

async function administer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
