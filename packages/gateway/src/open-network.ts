import path from 'node:path';
import type { Sandbox } from '@parley/sandbox';
import type { Config } from '#config';
import { createProxyRoutes, type Egress } from '#egress';
import type { Clock, Random, SealedBox, TravelClock } from '#kernel';
import type { NetworkDriver } from '#network';
import { createWhatsAppDriver } from '#network/whatsapp';
import { type Log, type Metrics, registerClientVersionMetrics } from '#ops';
import { findVirtualNetwork, openSandbox, type SandboxInterface, startVirtualNetwork } from '#sandbox';
import type { Store } from '#store';

interface Parts {
  readonly store: Store;
  readonly sealedBox: SealedBox;
  readonly clock: TravelClock;
  readonly machineClock: Clock;
  readonly random: Random;
  readonly egress: Egress;
  readonly metrics: Metrics;
  readonly log: Log;
  /** In place of the one that speaks to the network of the configuration. */
  readonly driver: NetworkDriver | undefined;
}

interface OpenedNetwork {
  readonly driver: NetworkDriver;
  /** The virtual network, where it runs inside this process. */
  readonly sandbox: Sandbox | undefined;
  /** What can be done with its phones, wherever it runs. */
  readonly phones: SandboxInterface | undefined;
}

/** Whom the numbers talk to, as configured, and by which ways. */
export async function openNetwork(
  config: Config,
  parts: Parts,
  opened: AsyncDisposableStack,
): Promise<OpenedNetwork> {
  const { clock, machineClock, random, egress, log } = parts;
  const virtual = { config, clock, machineClock, random, egress, log };
  const isVirtual = config.network === 'sandbox';
  const { sandboxUrl: url } = config;
  const sandbox = isVirtual && !url ? await startVirtualNetwork(virtual) : undefined;
  opened.defer(() => sandbox?.stop());
  const elsewhere = isVirtual && url ? await findVirtualNetwork({ ...virtual, url }) : undefined;
  opened.defer(() => elsewhere?.close());
  const endpoint = sandbox ?? elsewhere;

  const proxyRoutes = createProxyRoutes({
    clock: machineClock,
    authority: endpoint?.mediaCaPem,
    mediaHost: endpoint?.mediaHost,
    proxyOf: isVirtual ? undefined : (phone) => config.whatsappProxies.get(phone) ?? config.whatsappProxy,
  });
  opened.defer(() => proxyRoutes.close());

  function createDriver(): NetworkDriver {
    const { whatsappVersion: version } = config;
    const whatsapp = createWhatsAppDriver({
      store: parts.store,
      sealedBox: parts.sealedBox,
      clock,
      random,
      log,
      ...(endpoint && { endpoint }),
      mediaFor: proxyRoutes.to,
      folder: path.join(config.dataDir, 'history'),
      settings: {
        // Who hosts nothing shows nothing to the network.
        ...(config.roles.has('worker') && version !== 'built-in' && { version }),
        deviceName: config.whatsappDeviceName,
        history: config.whatsappHistory,
        agentFor: (phone) => proxyRoutes.to(phone).socketAgent,
      },
    });
    registerClientVersionMetrics(parts.metrics.registry, whatsapp.clientVersion, clock);
    return whatsapp;
  }

  const driver = parts.driver ?? createDriver();
  opened.defer(() => driver.close());
  return { driver, sandbox, phones: sandbox ? openSandbox(sandbox, virtual) : elsewhere };
}
