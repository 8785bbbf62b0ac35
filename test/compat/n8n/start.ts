import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { toolsOnDemand } from '../../../tools/tools-on-demand.ts';
import { N8N_NODE, N8N_OWNER } from '../../conformance/evolution/n8n-package.ts';
import { endWithUs, makeTemporaryFolder } from '../../services/cleanup.ts';
import { unpackedPackage } from '../../services/npm-package.ts';
import { freePort, stopProcess } from '../../services/processes.ts';
import type { Service } from '../../services/service.ts';

const STARTS_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 250;

/** A real n8n with the node for Evolution API among its community nodes, its data in a database of its own. */
export async function startN8n(postgresUrl: string): Promise<Service> {
  const program = join(await toolsOnDemand(join(import.meta.dirname, 'n8n-program')), 'n8n/bin/n8n');
  const folder = makeTemporaryFolder('parley-n8n-');
  const database = `n8n_${process.pid}`;
  await inPostgres(postgresUrl, `CREATE DATABASE ${database}`);
  const node = join(folder.path, '.n8n/nodes/node_modules', N8N_NODE.name);
  cpSync(await unpackedPackage(N8N_NODE), node, { recursive: true });
  const port = await freePort();
  const settings = { ...quiet, ...databaseSettings(postgresUrl, database), N8N_PORT: String(port) };
  const env = { ...process.env, ...settings, N8N_USER_FOLDER: folder.path };
  const child = endWithUs(spawn(process.execPath, [program, 'start'], { env, stdio: 'pipe' }), 'SIGTERM');
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const url = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    await stopProcess(child, 'SIGTERM');
    await inPostgres(postgresUrl, `DROP DATABASE ${database} WITH (FORCE)`);
    folder.remove();
  };
  try {
    await ownerMade(url);
  } catch (error) {
    await stop();
    throw new Error(`n8n did not start:\n${output}`, { cause: error });
  }
  return { url, stop };
}

/** Blocks all requests to other hosts. */
const quiet = {
  N8N_LISTEN_ADDRESS: '127.0.0.1',
  N8N_SECURE_COOKIE: 'false',
  N8N_DIAGNOSTICS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
  N8N_TEMPLATES_ENABLED: 'false',
  N8N_PERSONALIZATION_ENABLED: 'false',
  N8N_RUNNERS_ENABLED: 'false',
};

function databaseSettings(postgresUrl: string, database: string): Record<string, string> {
  const { hostname, port, username, password } = new URL(postgresUrl);
  return {
    DB_TYPE: 'postgresdb',
    DB_POSTGRESDB_HOST: hostname,
    DB_POSTGRESDB_PORT: port,
    DB_POSTGRESDB_USER: username,
    DB_POSTGRESDB_PASSWORD: password,
    DB_POSTGRESDB_DATABASE: database,
  };
}

/** During its start it answers every request with a page about it. */
async function ownerMade(url: string): Promise<void> {
  const signal = AbortSignal.timeout(STARTS_WITHIN_MS);
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ ...N8N_OWNER, firstName: 'Ada', lastName: 'Lovelace' });
  for (;;) {
    const asked = fetch(`${url}/rest/owner/setup`, { method: 'POST', headers, body, signal });
    const answer = await asked.catch(() => undefined);
    if (answer?.ok && answer.headers.get('content-type')?.includes('json')) return;
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

async function inPostgres(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
