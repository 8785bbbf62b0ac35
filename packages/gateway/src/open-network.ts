import type { Sandbox } from '@parley/sandbox';
import type { Config } from '#config';
import type { Egress } from '#egress';
import type { Clock, Random } from '#kernel';
import { awaitedLater } from '#kernel';
import type { Log } from '#ops';
import type { SandboxInterface } from '#sandbox';
import type { LedClock } from './hosting/led-clock.ts';
import type { Endpoint } from './hosting/open-driver.ts';

interface Parts {
  readonly clock: LedClock;
  readonly machineClock: Clock;
  readonly random: Random;
  readonly egress: Egress;
  readonly log: Log;
}

interface OpenedNetwork {
  /** Undefined: the real network. */
  readonly endpoint: Endpoint | undefined;
  /** The virtual network, where it runs inside this process. */
  readonly sandbox: Sandbox | undefined;
  /** What can be done with its phones, wherever it runs. */
  readonly phones: SandboxInterface | undefined;
}

/** Begins to load a virtual network that is to run in this process, while the database opens. Who needs it hears of what went wrong. */
export function loadNetworkAhead({ network, sandboxUrl }: Config): void {
  if (network === 'sandbox' && !sandboxUrl) awaitedLater(import('@parley/sandbox'));
}

/** Whom the numbers talk to, as configured. */
export async function openNetwork(
  config: Config,
  parts: Parts,
  opened: AsyncDisposableStack,
): Promise<OpenedNetwork> {
  if (config.network !== 'sandbox') return { endpoint: undefined, sandbox: undefined, phones: undefined };
  // Whoever talks to the real network does not load a virtual one.
  const { findVirtualNetwork, openSandbox, startVirtualNetwork } = await import('#sandbox');
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

/** What can be handed to another thread. */
function plainEndpoint({ url, rootPublicKey, mediaCaPem, mediaHost }: Endpoint): Endpoint {
  return { url, rootPublicKey, mediaCaPem, mediaHost };
}
