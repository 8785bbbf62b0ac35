import type { Sandbox } from '@parley/sandbox';
import type { SandboxInterface } from '#app/sandbox';
import type { Config } from '#config';
import type { Clock, Random } from '#kernel';
import { awaitedLater } from '#kernel';
import type { Egress } from '#platform/egress';
import type { Log } from '#platform/observe';
import type { BroadcastClock } from './hosting/broadcast-clock.ts';
import type { Endpoint } from './hosting/open-driver.ts';

interface Parts {
  readonly clock: BroadcastClock;
  readonly machineClock: Clock;
  readonly random: Random;
  readonly egress: Egress;
  readonly log: Log;
}

interface OpenedNetwork {
  /** Undefined: the real network. */
  readonly endpoint: Endpoint | undefined;
  /** The virtual network, if it runs in this process. */
  readonly sandbox: Sandbox | undefined;
  /** Access to its phones, wherever it runs. */
  readonly phones: SandboxInterface | undefined;
}

/** Starts loading the virtual network of this process while the database opens. A failure reaches the code that awaits it. */
export function preloadNetwork({ network, sandboxUrl }: Config): void {
  if (network === 'sandbox' && !sandboxUrl) awaitedLater(import('@parley/sandbox'));
}

/** Finds the network that the numbers connect to, as configured. */
export async function openNetwork(
  config: Config,
  parts: Parts,
  opened: AsyncDisposableStack,
): Promise<OpenedNetwork> {
  if (config.network !== 'sandbox') return { endpoint: undefined, sandbox: undefined, phones: undefined };
  // Loaded only where a virtual network is configured.
  const { findVirtualNetwork, openSandbox, startVirtualNetwork } = await import('#app/sandbox');
  const virtual = { ...parts, config, arrived: parts.clock.arrived };
  const { sandboxUrl: url } = config;
  if (url) {
    const elsewhere = await findVirtualNetwork({ ...virtual, url });
    opened.defer(() => elsewhere.close());
    return { endpoint: plainEndpoint(elsewhere), sandbox: undefined, phones: elsewhere };
  }
  const sandbox = await startVirtualNetwork(virtual);
  opened.defer(() => sandbox.stop());
  return { endpoint: plainEndpoint(sandbox), sandbox, phones: openSandbox(sandbox, virtual) };
}

/** A copy that can be sent to another thread. */
function plainEndpoint({ url, rootPublicKey, mediaCaPem, mediaHost, mediaHosts }: Endpoint): Endpoint {
  return { url, rootPublicKey, mediaCaPem, mediaHost, mediaHosts: [...mediaHosts] };
}
