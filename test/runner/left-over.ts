import { globSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DATABASE_PREFIX,
  dropDatabasesOf,
  FOLDER_PREFIX,
} from '../../packages/gateway/src/store/testing/databases.ts';
import { SERVICE_VARIABLES } from './suites.ts';

/** Databases go from test to test; those that are left when all have ended go with them. */
export async function teardown(): Promise<void> {
  for (const folder of globSync(`${FOLDER_PREFIX}*`, { cwd: tmpdir() }))
    rmSync(join(tmpdir(), folder), { recursive: true, force: true });
  const server = process.env[SERVICE_VARIABLES.postgres];
  if (server) await dropDatabasesOf(server, DATABASE_PREFIX);
}
