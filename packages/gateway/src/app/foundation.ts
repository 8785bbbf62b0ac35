import { type Config, describeConfig } from '#config';
import { type Clock, createSystemClock, type Random, systemRandom, type TravelClock } from '#kernel';
import type { NetworkDriver } from '#network';
import { createLog, createMetrics, createThroughput, type Log, logFailureWarnings } from '#platform/observe';
import { countSessions } from '#sessions';
import manifest from '../../package.json' with { type: 'json' };
import { openBus } from './bus.ts';
import { createBroadcastClock } from './hosting/broadcast-clock.ts';
import { openTracing } from './hosting/open-common.ts';
import { chooseThreadCount } from './hosting/thread-sizing.ts';
import { preloadNetwork } from './network.ts';
import { openStores } from './stores.ts';

/** Replacements for parts of the machine, for tests. */
export interface Dependencies {
  /** The gateway's sense of time. */
  readonly clock?: TravelClock;
  /** Measures processes, sockets and the database; the sandbox's time travel must not reach them. */
  readonly machineClock?: Clock;
  readonly random?: Random;
  readonly log?: Log;
  /** Replaces the driver of the configured network. */
  readonly driver?: NetworkDriver;
}

export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

const VERSION: string = manifest.version;

/** Time, logs, metrics, the database and the bus. `closeFirst` is awaited before the database closes. */
export async function openFoundation(
  config: Config,
  dependencies: Dependencies,
  opened: AsyncDisposableStack,
  closeFirst: () => Promise<void> | undefined,
) {
  const {
    machineClock = createSystemClock(),
    random = systemRandom,
    log = createLog(config.logLevel),
  } = dependencies;
  const clock = createBroadcastClock(dependencies.clock ?? createSystemClock(), machineClock);
  const warnings = logFailureWarnings(log);
  opened.defer(() => warnings.stop());
  const metrics = createMetrics();
  const machine = { clock, machineClock, random, log };
  const opening = openStores(config, { ...machine, onCommit: metrics.work.committed }, opened);
  preloadNetwork(config);
  const { store, sealedBox, keys } = await opening;
  const throughput = createThroughput({ store, clock });
  log.info({ version: VERSION, node: process.version }, 'starting');
  log.debug({ settings: settingsOf(config) }, 'settings');
  opened.defer(closeFirst);
  const tracing = { version: VERSION, store, clock, machineClock, log, tidies: true };
  const { traces, traced } = await openTracing(config, tracing, opened);
  const plainBus = await openBus(config, { clock: machineClock, random, log });
  opened.defer(() => plainBus.close());
  // A driver or a clock of a test cannot cross to another thread.
  const isInTest = dependencies.driver || dependencies.clock;
  const countNumbers = () => countSessions(store.read);
  const threads = isInTest ? 0 : await chooseThreadCount(config, { database: store.dialect, countNumbers });
  return {
    ...machine,
    ...{ version: VERSION, metrics, throughput, work: throughput.watch(metrics.work), traces },
    ...{ store, sealedBox, keys, plainBus, bus: traced(plainBus), threads },
    isNotifiedByStore: store.dialect === 'sqlite' && threads === 0,
  };
}

/** By name, secrets masked. */
function settingsOf(config: Config): Record<string, string> {
  return Object.fromEntries(describeConfig(config).map(({ name, value }) => [name, value]));
}
