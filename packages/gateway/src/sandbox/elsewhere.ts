import { type Config, ConfigError, SETTINGS } from '#config';
import type { Clock } from '#kernel';
import { type Endpoint, findEndpoint } from './endpoint.ts';
import { followClock } from './follow-clock.ts';
import { forwardSandbox } from './forward.ts';
import { createSandboxLine } from './line.ts';
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
  const line = createSandboxLine({ url, operatorToken, clock: parts.machineClock });
  try {
    const endpoint = await findEndpoint(line);
    const stopFollowing = await followClock({ ...parts, line });
    return {
      ...endpoint,
      mount: (http) => forwardSandbox(http, { line, operatorToken }),
      visit: visitThrough(line),
      async close() {
        stopFollowing();
        await line.close();
      },
    };
  } catch {
    await line.close();
    throw new ConfigError(
      `no sandbox answers at ${url}; start one (parley sandbox) or correct ${SETTINGS.sandboxUrl.name}`,
    );
  }
}
