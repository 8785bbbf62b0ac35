import path from 'node:path';
import type { Sandbox } from '@parley/sandbox';
import type { Config } from '#config';
import type { Egress } from '#egress';
import type { Clock, Random, TravelClock } from '#kernel';
import type { Log } from '#ops';
import { createTimeTravel } from './time-travel.ts';

export interface VirtualNetworkParts {
  readonly config: Pick<Config, 'dataDir' | 'operatorToken'>;
  readonly clock: TravelClock;
  /** Resolves when all clocks that follow this one inside the process have got as far. */
  readonly arrived?: () => Promise<void>;
  /** Does not travel. */
  readonly machineClock: Clock;
  readonly random: Random;
  readonly egress: Pick<Egress, 'download'>;
  readonly log: Log;
}

interface VirtualNetworkAddress {
  readonly host?: string;
  readonly port?: number;
  readonly mediaPort?: number;
}

/**
 * Runs the network of virtual phones inside this process. It is another party: it has its own ports, by default free ones on the
 * loopback address, and its own database file.
 */
export async function startVirtualNetwork(
  { config, clock, random, log }: VirtualNetworkParts,
  address: VirtualNetworkAddress = {},
): Promise<Sandbox> {
  // Whoever finds one elsewhere does not load it.
  const { startSandbox } = await import('@parley/sandbox');
  const file = path.join(config.dataDir, 'sandbox.db');
  const sandbox = await startSandbox({ file, clock, random, log, ...address });
  createTimeTravel(sandbox.world.vault, clock).resume();
  return sandbox;
}
