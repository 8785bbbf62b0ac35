import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, createApp } from '@parley/gateway/app';
import type { LightMyRequestResponse } from 'fastify';
import { type Environment, loadConfig } from '#config';
import { type Clock, createSteppedClock, type TravelClock } from '#kernel';
import { createLog } from '#platform/observe';
import { createDatabase, type DatabaseName } from './stores.ts';

export const OPERATOR_TOKEN = 'operator-token-of-the-tests';

/** A whole gateway in this process, on a database and a data directory of its own. */
export interface TestGateway {
  readonly app: App;
  readonly clock: TravelClock;
  readonly databaseUrl: string;
  /** All that was logged so far, at every level. */
  readonly log: () => string;
  request(request: TestRequest): Promise<LightMyRequestResponse>;
  /** Asks as the operator; fails unless the answer is a success. */
  operate<T>(method: Method, path: string, body?: object): Promise<T>;
  /** From now on nothing can be read or written. */
  loseDatabase(): Promise<void>;
  close(): Promise<void>;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';

export interface TestRequest {
  readonly method: Method;
  readonly url: string;
  readonly key?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export async function startGateway({
  database: name = 'SQLite',
  environment = { PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN },
  clock = createSteppedClock(),
  machineClock,
}: {
  database?: DatabaseName;
  environment?: Environment;
  clock?: TravelClock;
  /** Stands for the clock of sockets and processes; theirs runs at its own pace otherwise. */
  machineClock?: Clock;
} = {}): Promise<TestGateway> {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-gateway-'));
  const database = await createDatabase(name);
  const config = loadConfig({
    PARLEY_DATA_DIR: dataDir,
    PARLEY_DATABASE_URL: database.url,
    PARLEY_PORT: '0',
    ...environment,
  });
  const logged: string[] = [];
  const log = createLog('trace', { write: (line: string) => void logged.push(line) });
  const app = await createApp(config, { clock, log, ...(machineClock && { machineClock }) });
  let databaseLost = false;

  function request({ method, url, key, body, headers }: TestRequest): Promise<LightMyRequestResponse> {
    const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const contentType = body === undefined ? {} : { 'content-type': 'application/json' };
    return app.http.inject({
      method,
      url,
      // Without it some answers would be streams, which have no end.
      headers: { accept: 'application/json', ...authorization, ...contentType, ...headers },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  }

  return {
    app,
    clock,
    databaseUrl: database.url,
    log: () => logged.join(''),
    request,
    async operate(method, path, body) {
      const answer = await request({ method, url: `/operator/v1${path}`, key: OPERATOR_TOKEN, body });
      if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${answer.body}`);
      return JSON.parse(answer.body || 'null');
    },
    async loseDatabase() {
      databaseLost = true;
      await app.store.close();
      // Long enough for everything that is remembered to be too old.
      clock.advance(5_000);
    },
    async close() {
      // A gateway without a database cannot hand its work over; it has to say so.
      await app.close().catch((error: unknown) => {
        if (!databaseLost) throw error;
      });
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
