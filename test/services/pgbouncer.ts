import { spawn } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endWithUs, makeTemporaryFolder } from './cleanup.ts';
import { unprivilegedUser } from './postgres.ts';
import { accepts, findOrInstall, freePort, stopProcess, waitUntilReady } from './processes.ts';
import type { Service } from './service.ts';

/** Fewer than a gateway requests at once, so that server connections change hands. */
const SERVER_CONNECTIONS = 4;

export interface Pooler extends Service {
  /** The same database through the pooler. */
  before(databaseUrl: string): string;
}

/**
 * PgBouncer in transaction mode in front of every database of a server. `ignored`: startup parameters that it ignores instead of
 * refusing.
 */
export async function startPgBouncer(serverUrl: string, ...ignored: string[]): Promise<Pooler> {
  const program = await findOrInstall('pgbouncer', 'pgbouncer', ['/usr/sbin']);
  const folder = makeTemporaryFolder('parley-pgbouncer-');
  const { hostname, port: serverPort, username, password } = new URL(serverUrl);
  const port = await freePort();
  const [configuration, users] = [join(folder.path, 'pgbouncer.ini'), join(folder.path, 'users.txt')];
  writeFileSync(users, `"${username}" "${password}"\n`);
  writeFileSync(
    configuration,
    [
      '[databases]',
      `* = host=${hostname} port=${serverPort}`,
      '[pgbouncer]',
      'pool_mode = transaction',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${users}`,
      'max_client_conn = 500',
      `default_pool_size = ${SERVER_CONNECTIONS}`,
      // Test databases are dropped as soon as their last client is gone.
      'server_idle_timeout = 1',
      ...(ignored.length > 0 ? [`ignore_startup_parameters = ${ignored.join(',')}`] : []),
    ].join('\n'),
  );
  // It refuses to run as root as well.
  const owner = unprivilegedUser();
  if (owner) for (const path of [folder.path, users, configuration]) chownSync(path, owner.uid, owner.gid);
  const server = endWithUs(spawn(program, ['-q', configuration], { ...owner, stdio: 'ignore' }));
  await waitUntilReady('PgBouncer', server, () => accepts(port));
  return {
    url: before(serverUrl),
    before,
    async stop() {
      await stopProcess(server, 'SIGINT');
      folder.remove();
    },
  };

  function before(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${port}`;
    url.searchParams.set('pooler', 'transaction');
    return url.href;
  }
}
