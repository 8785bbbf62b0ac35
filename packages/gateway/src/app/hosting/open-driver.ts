import path from 'node:path';
import type { Config } from '#config';
import type { Clock, Random, SealedBox } from '#kernel';
import type { NetworkDriver } from '#network';
import { createProxyRoutes, NETWORK_HOSTS } from '#platform/egress';
import type { ClientVersionFigures, Log, WorkMetrics } from '#platform/observe';
import type { Store } from '#platform/store';

/** Network that the driver connects to, other than the real one. */
export interface Endpoint {
  readonly url: string;
  readonly rootPublicKey: Uint8Array;
  readonly mediaCaPem: string;
  readonly mediaHost: string;
  readonly mediaHosts: readonly string[];
}

interface Parts {
  readonly store: Store;
  readonly sealedBox: SealedBox;
  readonly clock: Clock;
  readonly machineClock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly endpoint: Endpoint | undefined;
  readonly passage: string;
  readonly work: Pick<WorkMetrics, 'notUnderstood' | 'updateUnread'>;
}

interface OpenedDriver extends NetworkDriver {
  clientVersion(): ClientVersionFigures;
}

/** Hosts of the network; of a sandbox its ports, because it goes by the name that it is asked by. */
export function hostsOf(endpoint: Endpoint | undefined): readonly string[] {
  if (!endpoint) return NETWORK_HOSTS;
  return [new URL(endpoint.url).host, ...endpoint.mediaHosts].map((host) => /:\d+$/.exec(host)?.[0] ?? host);
}

/** Opens the network driver for the numbers hosted here. Loaded only by hosts: it is a third of a gateway's memory. */
export async function openDriver(
  config: Config,
  { machineClock, endpoint, passage, work, ...parts }: Parts,
  opened: AsyncDisposableStack,
): Promise<OpenedDriver> {
  const { createWhatsAppDriver } = await import('#network/whatsapp');
  const proxyRoutes = createProxyRoutes({
    clock: machineClock,
    authority: endpoint?.mediaCaPem,
    mediaHost: endpoint?.mediaHost,
    hosts: hostsOf(endpoint),
    proxyOf: endpoint ? undefined : (phone) => config.whatsappProxies.get(phone) ?? config.whatsappProxy,
  });
  opened.defer(() => proxyRoutes.close());
  const { whatsappVersion: version } = config;
  const driver = createWhatsAppDriver({
    ...parts,
    machineClock,
    ...(endpoint && { endpoint }),
    mediaFor: proxyRoutes.to,
    onUnknown: work.notUnderstood,
    onUnreadUpdate: work.updateUnread,
    folder: path.join(passage, 'history'),
    settings: {
      ...(version !== 'built-in' && { version }),
      deviceName: config.whatsappDeviceName,
      history: config.whatsappHistory,
      pulse: config.whatsappPulse === 'on',
      ...(config.ffmpeg !== 'off' && { ffmpeg: config.ffmpeg }),
      agentFor: (phone) => proxyRoutes.to(phone).socketAgent,
    },
  });
  opened.defer(() => driver.close());
  return driver;
}
