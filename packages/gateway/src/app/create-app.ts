import type { Sandbox } from '@parley/sandbox';
import type { FastifyInstance } from 'fastify';
import type { AccountsContext } from '#accounts';
import type { Config } from '#config';
import type { Log } from '#platform/observe';
import type { Store } from '#platform/store';
import { createContexts, createFeatures, openCompat, openStreams } from './features.ts';
import { type Dependencies, openFoundation } from './foundation.ts';
import { openCommon } from './hosting/open-common.ts';
import { createPublicUrl, openServer, type Server } from './http.ts';
import { openRecorders, registerMetrics } from './metrics.ts';
import { openNetwork } from './network.ts';
import { startPeriodicJobs } from './upkeep.ts';
import { openWorkers } from './workers.ts';

/** A whole gateway, ready to listen. The code that created it closes it. */
export interface App {
  readonly http: FastifyInstance;
  readonly store: Store;
  readonly log: Log;
  readonly accounts: AccountsContext;
  /** The virtual network, where it runs inside this process. */
  readonly sandbox: Sandbox | undefined;
  /** Stops taking requests, finishes those in progress, then closes everything underneath. Idempotent. */
  close(): Promise<void>;
}

/** The composition root: the one place that names concrete stores, buses and drivers. */
export async function createApp(config: Config, dependencies: Dependencies = {}): Promise<App> {
  // Closes in reverse order what is open so far, also when a later step fails.
  await using opened = new AsyncDisposableStack();
  let server: Server | undefined;
  const url = createPublicUrl(config);
  const base = await openFoundation(config, dependencies, opened, () => server?.closed());
  const passage = config.dataDir;
  const common = openCommon(config, { ...base, publicUrl: url.current, passage }, opened);
  const requestLog = openRecorders(base, common, opened);
  const { feed, streams } = openStreams(base, common);
  const { endpoint, sandbox, phones } = await openNetwork(config, { ...base, egress: common.egress }, opened);
  const contexts = createContexts(config, base, common);
  const stage = { base, common, ...contexts };
  const compat = openCompat(config, { ...stage, access: () => features.media.access }, opened);
  const { driver } = dependencies;
  const { webhooks } = contexts;
  const workers = await openWorkers(config, { base, common, webhooks, compat, endpoint, driver }, opened);
  const { deliveries, hosting, sessions } = workers;
  const features = createFeatures(config, { ...stage, sessions });
  registerMetrics(base.metrics, config, { ...base, deliveries, hosting, ...features });
  const parts = { ...stage, ...features, ...workers, feed, streams, compat, phones, requestLog };
  server = openServer(config, parts, opened);
  const { http } = server;
  url.follow(http);
  http.server.once('listening', () => hosting.setPublicUrl?.(url.current()));

  // Before numbers log in, which takes the same thread: the first requests are answered first.
  await http.ready();
  await common.histories.start();
  await hosting.start();
  if (config.roles.has('webhooks')) deliveries.start();
  startPeriodicJobs(config, { ...stage, ...features }, opened);
  return running({ http, sandbox, ...base, accounts: contexts.accounts }, opened.move());
}

function running(parts: Omit<App, 'close'>, opened: AsyncDisposableStack): App {
  const { http, store, log, accounts, sandbox } = parts;
  let closing: Promise<void> | undefined;
  async function stop(): Promise<void> {
    log.info({}, 'stopping');
    await opened.disposeAsync();
    log.info({}, 'stopped');
  }
  return { http, store, log, accounts, sandbox, close: () => (closing ??= stop()) };
}
