import { type ChildProcess, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { makeTemporaryFolder, type TemporaryFolder } from './cleanup.ts';
import {
  addressOf,
  dataIn,
  findPrograms,
  makeCluster,
  makePlace,
  type ServerPlace,
  startServer,
} from './postgres.ts';
import { freePort, runToEnd, stopProcess } from './processes.ts';

/** A primary and a synchronous standby; either can be lost like a machine. */
export interface PostgresPair {
  /** Address of the current primary. */
  readonly primaryUrl: string;
  /** The address of a database that names both servers. */
  naming(databaseUrl: string): string;
  killStandby(): void;
  /** Loses the primary and promotes the standby; a standby lost before is restarted for that. */
  failOver(): Promise<void>;
  /** Starts a new standby in place of the lost server; commits wait for it from now on. */
  replaceStandby(): Promise<void>;
  stop(): Promise<void>;
}

interface Place {
  readonly folder: TemporaryFolder;
  readonly options: ServerPlace;
  readonly port: number;
  server: ChildProcess | undefined;
}

/** Dynamic shared memory as files in the data folder, removed with it however the server ended. */
const SETTINGS = ['dynamic_shared_memory_type=mmap'];
const PATIENCE_S = 60;

export async function startPostgresPair(): Promise<PostgresPair> {
  const programs = await findPrograms();
  let primary = await makeNewPlace();
  let standby = await makeNewPlace();
  await makeCluster(programs, primary.folder.path);
  await start(primary);
  await replaceStandby();

  async function start(place: Place): Promise<void> {
    place.server = await startServer(
      programs,
      place.port,
      { ...place.options, disk: 'for tests' },
      ...SETTINGS,
    );
  }

  async function replaceStandby(): Promise<void> {
    const data = dataIn(standby.folder.path);
    rmSync(data, { recursive: true, force: true });
    const copy = ['--pgdata', data, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
    await runToEnd(
      join(programs, 'pg_basebackup'),
      [...copy, '--dbname', addressOf(primary.port)],
      standby.options,
    );
    await start(standby);
    await ask(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await ask(primary, 'SELECT pg_reload_conf()');
    await untilConfirmed(primary);
  }

  return {
    get primaryUrl() {
      return addressOf(primary.port);
    },
    naming(databaseUrl) {
      const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`);
      return `${databaseUrl.replace(/127\.0\.0\.1:\d+/, hosts.join(','))}?target_session_attrs=read-write`;
    },
    killStandby: () => killAll(standby),
    async failOver() {
      killAll(primary);
      if (!standby.server) await start(standby);
      await ask(standby, `SELECT pg_promote(true, ${PATIENCE_S})`);
      [primary, standby] = [standby, primary];
    },
    replaceStandby,
    async stop() {
      for (const { server, folder } of [standby, primary]) {
        if (server) await stopProcess(server, 'SIGQUIT');
        folder.remove();
      }
    },
  };
}

async function makeNewPlace(): Promise<Place> {
  const folder = makeTemporaryFolder('parley-postgres-');
  return { folder, options: makePlace(folder.path), port: await freePort(), server: undefined };
}

async function ask(place: Place, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: addressOf(place.port) });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Waits until the standby has all commits so far, and confirms new ones. */
async function untilConfirmed(primary: Place): Promise<void> {
  const confirmed = `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync' AND flush_lsn >= pg_current_wal_flush_lsn()`;
  for (let left = 10 * PATIENCE_S; left > 0; left--) {
    if ((await ask(primary, confirmed)).length > 0) return;
    await sleep(100);
  }
  throw new Error('The standby never caught up.');
}

/** Kills the server and all its processes at once, as a machine failure does. */
function killAll(place: Place): void {
  const { server } = place;
  place.server = undefined;
  if (!server?.pid) return;
  server.kill('SIGSTOP');
  const memory = memoryOf(place);
  for (const pid of childrenOf(server.pid)) killIfThere(pid);
  server.kill('SIGKILL');
  // No process is left to free it.
  if (memory) spawnSync('ipcrm', ['-m', memory]);
}

/** The id of its shared memory, from its lock file. */
function memoryOf({ folder }: Place): string | undefined {
  const lines = readFileSync(join(dataIn(folder.path), 'postmaster.pid'), 'utf8').split('\n');
  return /^\s*\d+\s+(\d+)\s*$/.exec(lines[6] ?? '')?.[1];
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === parent)
    .map(Number);
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/\) \w (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
