import type { Bus } from '#bus';
import type { Config } from '#config';
import type { MasterKeys, SendTraces } from '#kernel';
import type { NetworkDriver } from '#network';
import type { WorkMetrics } from '#ops';
import type { Worker } from '#sessions';
import { createHost } from './host.ts';
import type { LedClock } from './led-clock.ts';
import type { Common } from './open-common.ts';
import { type Endpoint, openDriver } from './open-driver.ts';
import { type HostingPlace, nowhere } from './place.ts';
import { hostInThreads } from './threads.ts';

interface Parts {
  readonly version: string;
  readonly common: Common;
  /** As threads take part in it: what is traced is traced in each. */
  readonly plainBus: Bus;
  readonly keys: { readonly masterKeys: MasterKeys; readonly fingerprintKey: Uint8Array };
  readonly endpoint: Endpoint | undefined;
  readonly traces: SendTraces | undefined;
  readonly work: WorkMetrics;
  readonly clock: LedClock;
  /** In place of the one that speaks to the network of the configuration. */
  readonly driver: NetworkDriver | undefined;
  /** How many threads host; 0: this one. */
  readonly threads: number;
}

interface OpenedHosting extends HostingPlace {
  /** What hosts in this very thread. */
  readonly worker?: Worker;
}

/** What hosts the numbers of this process, wherever the configuration wants it. */
export async function openHosting(
  config: Config,
  parts: Parts,
  opened: AsyncDisposableStack,
): Promise<OpenedHosting> {
  if (!config.roles.has('worker')) return nowhere;
  if (parts.threads > 0) return openThreads(config, parts, opened);
  const { common, endpoint, work, traces } = parts;
  const { driver, clientVersion } = parts.driver
    ? { driver: parts.driver, clientVersion: () => undefined }
    : await openOwnDriver(config, { ...common, endpoint }, opened);
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

function openThreads(config: Config, parts: Parts, opened: AsyncDisposableStack): Promise<HostingPlace> {
  const { version, common, plainBus: bus, keys, endpoint, work, clock, threads } = parts;
  const { store, machineClock, random, log } = common;
  return hostInThreads(
    config,
    { ...{ version, store, bus, endpoint, clock, machineClock, random, work, log, threads }, ...keys },
    opened,
  );
}
