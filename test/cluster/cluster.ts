import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  createPostgresDatabase,
  requirePostgres,
  type TestDatabase,
} from '../../packages/gateway/src/platform/store/testing/index.ts';
import { type Gateway, gatewayAt, OPERATOR_TOKEN } from '../conformance/gateway-access.ts';
import { type Launched, launch } from '../conformance/launch.ts';
import { makeTemporaryFolder } from '../services/cleanup.ts';
import { stopProcess } from '../services/processes.ts';

/** Several gateway processes on one database and one bus, with a sandbox in a process of its own. */
export interface Cluster extends Gateway {
  readonly members: readonly Member[];
  /** Address of the sandbox itself, which stays up when members fail. */
  readonly sandboxUrl: string;
  /** One member after the other, so that one is always up. */
  restart(): Promise<void>;
  /** All at once. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** A slot for one process; the process in it changes. */
export interface Member {
  /** Undefined while no process runs. */
  readonly url: string | undefined;
  readonly pid: number | undefined;
  start(): Promise<void>;
  end(signal: NodeJS.Signals): Promise<void>;
  /** Whether requests to the cluster go to this member; the process itself is unaffected. */
  isAsked: boolean;
  signal(signal: NodeJS.Signals): void;
}

export interface ClusterOptions {
  readonly size?: number;
  /** Its database, if not on the server of the test run. */
  readonly database?: TestDatabase;
  readonly environment?: Record<string, string>;
  /** Roles of each member, where they differ. */
  readonly roles?: readonly string[];
  /** Routes of the processes to their servers, where they are indirect. */
  readonly way?: (server: Server, url: string, member: number) => Promise<string>;
  /** Called with every log line of a member. */
  readonly onLine?: (logLine: string, member: number) => void;
}

export type Server = 'database' | 'bus';

const direct = async (_server: Server, url: string): Promise<string> => url;

export async function startCluster({
  size = 3,
  database: given,
  environment = {},
  roles = [],
  way = direct,
  onLine = (line) => console.log(line),
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
      return createMember(urls, settings, (line) => onLine(line, index));
    }),
  );
  // The first creates the tables for the others.
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

/** Its address is among `urls` while `isAsked` is set. */
function createMember(
  urls: string[],
  settings: Record<string, string>,
  onLine: (logLine: string) => void,
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
      launched = await launch('start', settings, onLine);
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
