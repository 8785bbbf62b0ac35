import type { Config } from '#config';
import type { MasterKeys, SendTraces } from '#kernel';
import type { NetworkDriver } from '#network';
import type { Bus } from '#platform/bus';
import type { WorkMetrics } from '#platform/observe';
import { createSessions, type Worker } from '#sessions';
import type { Compat } from '#surfaces/compat';
import { createDeliveries } from '#webhooks';
import type { Contexts } from './features.ts';
import type { Foundation } from './foundation.ts';
import type { BroadcastClock } from './hosting/broadcast-clock.ts';
import { createHost } from './hosting/create-host.ts';
import { type HostingPlace, noHosting } from './hosting/hosting-place.ts';
import type { Common } from './hosting/open-common.ts';
import { type Endpoint, openDriver } from './hosting/open-driver.ts';
import { hostInThreads } from './hosting/threads.ts';

interface Parts {
  readonly base: Foundation;
  readonly common: Common;
  readonly webhooks: Contexts['webhooks'];
  readonly compat: Pick<Compat, 'formats'>;
  /** Undefined: the real network. */
  readonly endpoint: Endpoint | undefined;
  /** Replaces the driver of the configured network. */
  readonly driver: NetworkDriver | undefined;
}

/** The delivery of webhooks, the hosting of numbers and their sessions; none of them starts yet. */
export async function openWorkers(
  config: Config,
  { base, common, webhooks, compat, endpoint, driver }: Parts,
  opened: AsyncDisposableStack,
) {
  const { store, bus, plainBus, clock, machineClock, random, sealedBox, log, traces, work } = base;
  const { ids, egress, directory, events } = common;
  const deliveries = createDeliveries({
    ...{ ...webhooks, egress, machineClock, log },
    formats: compat.formats,
    figures: work,
    traces,
    isNotifiedByStore: base.isNotifiedByStore,
  });
  opened.defer(() => deliveries.stop());
  const { version, keys, threads } = base;
  const hosting = await openHosting(
    config,
    { common, plainBus, endpoint, keys, traces, work, clock, version, driver, threads },
    opened,
  );
  const sessions = createSessions({
    ...{ store, bus, events, clock, machineClock, random, ids, sealedBox, log, worker: hosting.worker },
    mayLink: async (accountId) => (await directory.ownerOf(accountId))?.blocked === null,
  });
  opened.defer(() => sessions.close());
  return { deliveries, hosting, sessions };
}

interface HostingParts {
  readonly version: string;
  readonly common: Common;
  /** The bus without tracing: each thread adds its own. */
  readonly plainBus: Bus;
  readonly keys: { readonly masterKeys: MasterKeys; readonly fingerprintKey: Uint8Array };
  readonly endpoint: Endpoint | undefined;
  readonly traces: SendTraces | undefined;
  readonly work: WorkMetrics;
  readonly clock: BroadcastClock;
  /** Replaces the configured driver. */
  readonly driver: NetworkDriver | undefined;
  /** Number of hosting threads; 0: this one. */
  readonly threads: number;
}

interface OpenedHosting extends HostingPlace {
  /** The worker in this thread. */
  readonly worker?: Worker;
}

/** Opens hosting for the numbers of this process, in the configured place. */
async function openHosting(
  config: Config,
  parts: HostingParts,
  opened: AsyncDisposableStack,
): Promise<OpenedHosting> {
  if (!config.roles.has('worker')) return noHosting;
  if (parts.threads > 0) return openThreads(config, parts, opened);
  const { common, endpoint, work, traces } = parts;
  const { driver, clientVersion } = parts.driver
    ? { driver: parts.driver, clientVersion: () => undefined }
    : await openOwnDriver(config, { ...common, endpoint, work }, opened);
  const alone = config.databaseUrl.startsWith('sqlite:');
  const { worker, start } = createHost(common, { driver, work, traces, name: '', alone }, opened);
  return {
    worker,
    start,
    check: () => worker.check(),
    figures: async () => [{ ...worker.figures(), clientVersion: clientVersion() }],
  };
}

async function openOwnDriver(...args: Parameters<typeof openDriver>) {
  const driver = await openDriver(...args);
  return { driver, clientVersion: driver.clientVersion };
}

function openThreads(
  config: Config,
  parts: HostingParts,
  opened: AsyncDisposableStack,
): Promise<HostingPlace> {
  const { version, common, plainBus: bus, keys, endpoint, work, clock, threads } = parts;
  const { store, machineClock, random, log } = common;
  return hostInThreads(
    config,
    { ...{ version, store, bus, endpoint, clock, machineClock, random, work, log, threads }, ...keys },
    opened,
  );
}
