import { type Relay, startRelay } from '../../../packages/gateway/src/platform/bus/nats/testing/relay.ts';
import type { Server } from '../../cluster/cluster.ts';

/** Connections of all members to their servers; each can be broken separately. */
export interface Lines {
  /** For `startCluster`. */
  way(server: Server, url: string, member: number): Promise<string>;
  of(server: Server, member: number): Relay;
  stop(): void;
}

export function createLines(): Lines {
  const relays = new Map<string, Relay>();
  return {
    async way(server, url, member) {
      const relay = await startRelay(url);
      relays.set(`${server} ${member}`, relay);
      const reached = new URL(url);
      reached.host = new URL(relay.url).host;
      return reached.href;
    },
    of(server, member) {
      const relay = relays.get(`${server} ${member}`);
      if (!relay) throw new Error(`member ${member} has no way to its ${server}`);
      return relay;
    },
    stop() {
      for (const relay of relays.values()) relay.stop();
    },
  };
}
