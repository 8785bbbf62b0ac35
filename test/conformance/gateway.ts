import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { stopProcess } from '../services/processes.ts';
import { type Answer, ask, type Method } from './ask.ts';

const OPERATOR_TOKEN = 'operator-of-the-conformance-tests';
const START_WITHIN_MS = 60_000;
const PROGRAM = fileURLToPath(new URL('../../packages/gateway/bin/parley.cjs', import.meta.url));

/** What a test needs to know to talk to a running gateway. */
export interface Gateway {
  readonly url: string;
  /** Both fail unless the answer is a success. */
  operator<T>(method: Method, path: string, body?: object): Promise<T>;
  sandbox<T>(method: Method, path: string, body?: object): Promise<T>;
}

/** A gateway process of one's own, with its sandbox, on a data directory of its own. */
export interface OwnGateway extends Gateway {
  /** Stops the process in order and starts another one on the same data. The address changes. */
  restart(): Promise<void>;
  /** The same without warning: the process is killed. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

export function gatewayAt(url: string): Gateway {
  const must = async <T>(method: Method, path: string, body?: object): Promise<T> => {
    const answer: Answer<T> = await ask(url, { method, path, body, token: OPERATOR_TOKEN });
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    url,
    operator: (method, path, body) => must(method, `/operator/v1${path}`, body),
    sandbox: (method, path, body) => must(method, `/sandbox/v1${path}`, body),
  };
}

export async function startGateway(environment: Record<string, string> = {}): Promise<OwnGateway> {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-conformance-'));
  const settings = {
    PARLEY_DATA_DIR: dataDir,
    PARLEY_PORT: '0',
    PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
    PARLEY_LOG_LEVEL: 'warn',
    ...environment,
  };
  let { child, url } = await launch(settings);
  let gateway = gatewayAt(url);

  async function startAgain(after: NodeJS.Signals): Promise<void> {
    await stopProcess(child, after);
    ({ child, url } = await launch(settings));
    gateway = gatewayAt(url);
  }

  return {
    get url() {
      return gateway.url;
    },
    operator: (method, path, body) => gateway.operator(method, path, body),
    sandbox: (method, path, body) => gateway.sandbox(method, path, body),
    restart: () => startAgain('SIGTERM'),
    crash: () => startAgain('SIGKILL'),
    async stop() {
      await stopProcess(child, 'SIGTERM');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function launch(settings: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [PROGRAM, 'start'], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const tooLate = setTimeout(() => child.kill('SIGKILL'), START_WITHIN_MS);
  try {
    return { child, url: await Promise.race([announcedAddress(child), endBeforeStart(child)]) };
  } finally {
    clearTimeout(tooLate);
  }
}

/** The gateway says where it listens; whatever else it says goes on to be shown. */
async function announcedAddress(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the output of the gateway is not piped');
  const lines = createInterface({ input: child.stdout });
  const found = Promise.withResolvers<string>();
  lines.on('line', (line) => {
    const address = /(http:\/\/127\.0\.0\.1:\d+)\/v1/.exec(line)?.[1];
    if (address) found.resolve(address);
    if (line.startsWith('{')) console.log(line);
  });
  return found.promise;
}

async function endBeforeStart(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`the gateway ended with ${code} instead of starting`);
}
