import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { endWithUs, makeTemporaryFolder } from './cleanup.ts';
import { findOrInstall, freePort, runToEnd, stopProcess, waitUntilReady } from './processes.ts';
import type { Service } from './service.ts';

const OLDEST_VERSION = 15;
const PASSWORD = 'parley';

/**
 * Whether commits wait for the disk. Only a crash of the whole machine makes a difference, and tests kill processes; benchmarks,
 * though, measure as in production.
 */
type Disk = 'for tests' | 'for measurements';

/** The server named in the environment, or a temporary one of our own on a free port. */
export async function startPostgres(disk: Disk = 'for tests'): Promise<Service> {
  const given = process.env.PARLEY_TEST_POSTGRES_URL;
  if (given) return { url: given, stop: async () => {} };

  return startOwnPostgres(disk);
}

/** A server for one test, which may be restarted. */
export interface OwnPostgres extends Service {
  /** Gracefully, or by a crash of the server: without closing its connections. */
  restart(how: 'in order' | 'by a crash'): Promise<void>;
}

export async function startOwnPostgres(disk: Disk = 'for tests'): Promise<OwnPostgres> {
  const programs = await findPrograms();
  const folder = makeTemporaryFolder('parley-postgres-');
  try {
    const options = { ...(await makeCluster(programs, folder.path)), disk };
    const port = await freePort();
    let server = await startServer(programs, port, options);
    return {
      url: addressOf(port),
      async restart(how) {
        await stopProcess(server, how === 'in order' ? 'SIGINT' : 'SIGQUIT');
        server = await startServer(programs, port, options);
      },
      async stop() {
        await stopProcess(server, 'SIGINT');
        folder.remove();
      },
    };
  } catch (error) {
    folder.remove();
    throw error;
  }
}

/** The folder of the server's programs. */
export async function findPrograms(): Promise<string> {
  return dirname(await findOrInstall('initdb', 'postgresql', ['/usr/lib/postgresql/*/bin']));
}

export function addressOf(port: number): string {
  return `postgres://parley:${PASSWORD}@127.0.0.1:${port}/postgres`;
}

/** User and folder of a server. */
export interface ServerPlace {
  readonly cwd: string;
  readonly uid?: number;
  readonly gid?: number;
}

interface ServerOptions extends ServerPlace {
  readonly disk: Disk;
}

export async function makeCluster(programs: string, folder: string): Promise<ServerPlace> {
  const data = dataIn(folder);
  const options = makePlace(folder);
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD, { mode: 0o644 });

  const login = ['--username=parley', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  // A locale, as most servers have: an order that is accidental without one must not pass.
  const language = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en'];
  await runToEnd(join(programs, 'initdb'), [`--pgdata=${data}`, ...login, ...language, '--no-sync'], options);
  assertVersion(data);
  return options;
}

/** Gives the folder to the user of the server. */
export function makePlace(folder: string): ServerPlace {
  const owner = unprivilegedUser();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  return { ...owner, cwd: folder };
}

export function dataIn(folder: string): string {
  return join(folder, 'data');
}

export async function startServer(
  programs: string,
  port: number,
  { disk, ...options }: ServerOptions,
  ...more: string[]
): Promise<ChildProcess> {
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    `fsync=${disk === 'for measurements' ? 'on' : 'off'}`,
    'max_connections=200',
    ...more,
  ];
  const args = ['-D', dataIn(options.cwd), ...settings.flatMap((setting) => ['-c', setting])];
  // Not by SIGKILL, which would leave its shared memory behind.
  const server = endWithUs(
    spawn(join(programs, 'postgres'), args, { ...options, stdio: 'ignore' }),
    'SIGQUIT',
  );
  await waitUntilReady('PostgreSQL', server, () =>
    runToEnd(join(programs, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', `${port}`]).then(
      () => true,
      () => false,
    ),
  );
  return server;
}

function assertVersion(data: string): void {
  const version = Number(readFileSync(join(data, 'PG_VERSION'), 'utf8'));
  if (version >= OLDEST_VERSION) return;
  throw new Error(`The tests need PostgreSQL ${OLDEST_VERSION} or newer and found ${version}.`);
}

/** PostgreSQL refuses to run as root, so root runs it as another user. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const entry = ['postgres', 'nobody']
    .map((name) => users.find((line) => line.startsWith(`${name}:`)))
    .find(Boolean);
  const [, , uid, gid] = entry?.split(':') ?? [];
  if (!uid || !gid) throw new Error('PostgreSQL does not run as root: make a user named postgres.');
  return { uid: Number(uid), gid: Number(gid) };
}
