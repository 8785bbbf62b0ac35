import { type Config, ConfigError, SETTINGS } from '#config';
import type { Clock } from '#kernel';
import { createSandboxClient } from './client.ts';
import { type Endpoint, findEndpoint } from './endpoint.ts';
import { followClock } from './follow-clock.ts';
import { forwardSandbox } from './forward.ts';
import type { SandboxInterface } from './mount.ts';
import type { VirtualNetworkParts } from './start.ts';
import { visitThrough } from './visits.ts';

/** A virtual network that another process runs; its clock is this process's clock. */
export interface NetworkElsewhere extends Endpoint, SandboxInterface {
  close(): Promise<void>;
}

export async function findVirtualNetwork({
  url,
  config: { operatorToken },
  ...parts
}: { url: string; config: Pick<Config, 'operatorToken'>; machineClock: Clock } & Pick<
  VirtualNetworkParts,
  'clock' | 'random' | 'log'
>): Promise<NetworkElsewhere> {
  const client = createSandboxClient({ url, operatorToken, clock: parts.machineClock });
  try {
    const endpoint = await findEndpoint(client);
    const stopFollowing = await followClock({ ...parts, client });
    return {
      ...endpoint,
      mount: (http) => forwardSandbox(http, { client, operatorToken }),
      visit: visitThrough(client),
      async close() {
        stopFollowing();
        await client.close();
      },
    };
  } catch {
    await client.close();
    throw new ConfigError(
      `no sandbox answers at ${url}; start one (parley sandbox) or correct ${SETTINGS.sandboxUrl.name}`,
    );
  }
}
