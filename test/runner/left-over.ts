import { globSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DATABASE_PREFIX,
  dropDatabasesOf,
  FOLDER_PREFIX,
} from '../../packages/gateway/src/platform/store/testing/databases.ts';
import { SERVICE_VARIABLES } from './suites.ts';

/** Databases are reused by later tests; the remaining ones are dropped at the end. */
export async function teardown(): Promise<void> {
  for (const folder of globSync(`${FOLDER_PREFIX}*`, { cwd: tmpdir() }))
    rmSync(join(tmpdir(), folder), { recursive: true, force: true });
  const server = process.env[SERVICE_VARIABLES.postgres];
  if (server) await dropDatabasesOf(server, DATABASE_PREFIX);
}
