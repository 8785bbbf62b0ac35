import type { FastifyInstance } from 'fastify';
import { accountsRoutes, createDirectory, recordKeyUses } from '#accounts';
import type { Config } from '#config';
import { createHttpServer, unservedRoutes } from '#http';
import {
  type Clock,
  createIds,
  createSystemClock,
  type Fault,
  faultBecause,
  type Random,
  systemRandom,
} from '#kernel';
import { createLog, createMetrics, type Log, opsRoutes } from '#ops';
import { referencePages } from '#reference';
import { lockDataDir, migrations, openStore, type Store, StoreError } from '#store';
import manifest from '../package.json' with { type: 'json' };

/** A whole gateway, ready to listen. Whoever made it closes it. */
export interface App {
  readonly http: FastifyInstance;
  readonly store: Store;
  readonly log: Log;
  /** Stops taking requests, finishes those under way, then closes everything underneath. Idempotent. */
  close(): Promise<void>;
}

/** What a test may put in place of the machine's own. */
export interface Surroundings {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log?: Log;
}

const VERSION: string = manifest.version;
const FINISH_REQUESTS_MS = 10_000;

/** The composition root: the one place that names concrete stores, buses and drivers. */
export async function createApp(config: Config, surroundings: Surroundings = {}): Promise<App> {
  const {
    clock = createSystemClock(),
    random = systemRandom,
    log = createLog(config.logLevel),
  } = surroundings;
  const ids = createIds({ clock, random });
  const embedded = config.databaseUrl.startsWith('sqlite:');
  const lock = embedded ? lockDataDir(config.dataDir) : undefined;
  const store = await openStore({
    url: config.databaseUrl,
    commandModules: [],
    migrations,
    clock,
    log,
  }).catch((error: unknown) => {
    lock?.release();
    throw error;
  });
  const directory = createDirectory({ store, clock });
  const keyUses = recordKeyUses({ store, clock, directory });
  const metrics = createMetrics();

  const routes = [
    ...accountsRoutes({ store, clock, ids, random }),
    ...opsRoutes({ parts: [{ name: 'store', check: () => store.check() }], metrics, clock }),
  ];
  const http: FastifyInstance = createHttpServer({
    routes: [...routes, ...unservedRoutes(routes)],
    pages: referencePages({ baseUrl: () => http.listeningOrigin, version: VERSION }),
    gatekeeper: directory,
    operatorToken: config.operatorToken,
    ids,
    log,
    translate: storeFault,
    onAnswered: metrics.observeAnswer,
  });

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    // Whoever has not sent the rest of a request by then, or does not read the answer, will not do so any more.
    const patience = clock.after(FINISH_REQUESTS_MS, () => http.server.closeAllConnections());
    await http.close();
    patience.cancel();
    await keyUses.stop();
    directory.close();
    await store.close();
    lock?.release();
  }

  return {
    http,
    store,
    log,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** Failures of the database for which a later try may do; all others are bugs. */
const PASSING_STORE_FAILURES = new Set([
  'unreachable',
  'unavailable',
  'queue_full',
  'transaction_timeout',
  'commit_unknown',
  'closed',
]);

function storeFault(error: unknown): Fault | undefined {
  return error instanceof StoreError && PASSING_STORE_FAILURES.has(error.code)
    ? faultBecause(error, 'store_unreachable')
    : undefined;
}
