import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  createPostgresDatabase,
  requirePostgres,
  type TestDatabase,
} from '../../packages/gateway/src/store/testing/index.ts';
import { type Gateway, gatewayAt, OPERATOR_TOKEN } from '../conformance/door.ts';
import { type Launched, launch } from '../conformance/launch.ts';
import { makeTemporaryFolder } from '../services/belongings.ts';
import { stopProcess } from '../services/processes.ts';

/** Several gateway processes on one database and one bus, with a sandbox in a process of its own. */
export interface Cluster extends Gateway {
  readonly members: readonly Member[];
  /** Of the sandbox itself, which is there whatever happens to the members. */
  readonly sandboxUrl: string;
  /** One after the other, so that there is always somebody. */
  restart(): Promise<void>;
  /** All at once. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** A place for one process; who stands there changes. */
export interface Member {
  /** Undefined while nobody does. */
  readonly url: string | undefined;
  readonly pid: number | undefined;
  start(): Promise<void>;
  end(signal: NodeJS.Signals): Promise<void>;
  /** Takes requests no more, or again, from whoever asks the cluster; the process does not hear of it. */
  isAsked: boolean;
  signal(signal: NodeJS.Signals): void;
}

export interface ClusterOptions {
  readonly size?: number;
  /** Where it is, if not on the server of the test run. */
  readonly database?: TestDatabase;
  readonly environment?: Record<string, string>;
  /** Roles of each member, where they differ. */
  readonly roles?: readonly string[];
  /** By what way the processes get to their servers, where that is not the direct one. */
  readonly way?: (server: Server, url: string, member: number) => Promise<string>;
  /** Told of every line that a member logs. */
  readonly hear?: (logLine: string, member: number) => void;
}

export type Server = 'database' | 'bus';

const direct = async (_server: Server, url: string): Promise<string> => url;

export async function startCluster({
  size = 3,
  database: given,
  environment = {},
  roles = [],
  way = direct,
  hear = (line) => console.log(line),
}: ClusterOptions): Promise<Cluster> {
  const folder = makeTemporaryFolder('parley-cluster-');
  const database =
    given ?? (await createPostgresDatabase(requirePostgres(process.env.PARLEY_TEST_POSTGRES_URL)));
  const busUrl = process.env.PARLEY_TEST_NATS_URL;
  if (!busUrl) throw new Error('PARLEY_TEST_NATS_URL is not set: use `npm test`, which starts NATS.');
  const common = {
    PARLEY_PORT: '0',
    PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
    PARLEY_MASTER_KEY: randomBytes(32).toString('base64'),
    PARLEY_LOG_LEVEL: 'error',
    ...environment,
  };
  const sandbox = environment.PARLEY_SANDBOX_URL
    ? undefined
    : await launch('sandbox', { ...common, PARLEY_DATA_DIR: join(folder.path, 'sandbox') });
  const shared = {
    PARLEY_BUS_SUBJECT: `parley-test.${randomBytes(6).toString('hex')}`,
    ...(sandbox && { PARLEY_SANDBOX_URL: sandbox.url }),
    ...common,
  };

  const urls: string[] = [];
  const members = await Promise.all(
    Array.from({ length: size }, async (_, index) => {
      const settings = {
        ...shared,
        PARLEY_DATABASE_URL: await way('database', database.url, index),
        PARLEY_BUS_URL: await way('bus', busUrl, index),
        PARLEY_DATA_DIR: join(folder.path, `member-${index}`),
        PARLEY_MEDIA_URL: `file:${join(folder.path, 'media')}`,
        ...(roles[index] !== undefined && { PARLEY_ROLES: roles[index] }),
      };
      return createMember(urls, settings, (line) => hear(line, index));
    }),
  );
  // The first makes the tables, and the others find them.
  const [first, ...others] = members;
  await first?.start();
  await Promise.all(others.map((member) => member.start()));

  return Object.assign(gatewayAt(urls), {
    members,
    sandboxUrl: sandbox?.url ?? environment.PARLEY_SANDBOX_URL ?? '',
    async restart() {
      for (const member of members) {
        await member.end('SIGTERM');
        await member.start();
      }
    },
    async crash() {
      await Promise.all(members.map((member) => member.end('SIGKILL')));
      await Promise.all(members.map((member) => member.start()));
    },
    async stop() {
      await Promise.all(members.map((member) => member.end('SIGTERM')));
      if (sandbox) await stopProcess(sandbox.child, 'SIGTERM');
      await database.drop();
      folder.remove();
    },
  });
}

/** Its address is among `urls` for as long as it is asked. */
function createMember(
  urls: string[],
  settings: Record<string, string>,
  hear: (logLine: string) => void,
): Member {
  let launched: Launched | undefined;

  function withdraw(): void {
    const place = urls.indexOf(launched?.url ?? '');
    if (place >= 0) urls.splice(place, 1);
  }

  return {
    get url() {
      return launched?.url;
    },
    get pid() {
      return launched?.child.pid;
    },
    get isAsked() {
      return urls.includes(launched?.url ?? '');
    },
    set isAsked(wanted) {
      withdraw();
      if (wanted && launched) urls.push(launched.url);
    },
    async start() {
      launched = await launch('start', settings, hear);
      urls.push(launched.url);
    },
    async end(signal) {
      withdraw();
      if (launched) await stopProcess(launched.child, signal);
      launched = undefined;
    },
    signal: (signal) => void launched?.child.kill(signal),
  };
}
