import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster, Server } from '../../cluster/cluster.ts';
import type { Lines } from './lines.ts';

/** A fault of one member or of all; resolves when it is over. */
export interface Fault {
  readonly name: string;
  happen(site: Site, member: number): Promise<void>;
}

interface Site {
  readonly cluster: Cluster;
  readonly lines: Lines;
}

/** Longer than a lease: others take over meanwhile. */
const FROZEN_MS = 13_000;
const BROKEN_MS = 20_000;

const killed: Fault = {
  name: 'a member is killed',
  async happen({ cluster }, index) {
    const member = cluster.members[index];
    await member?.end('SIGKILL');
    await member?.start();
  },
};

const stopped: Fault = {
  name: 'a member is stopped in order',
  async happen({ cluster }, index) {
    const member = cluster.members[index];
    await member?.end('SIGTERM');
    await member?.start();
  },
};

const frozen: Fault = {
  name: 'a member stands still',
  async happen({ cluster }, index) {
    const member = cluster.members[index];
    if (!member) return;
    // As a load balancer would notice.
    member.isAsked = false;
    member.signal('SIGSTOP');
    await sleep(FROZEN_MS);
    member.signal('SIGCONT');
    await sleep(1_000);
    member.isAsked = true;
  },
};

function broken(server: Server, how: 'cut' | 'silence', whose: 'one' | 'all'): Fault {
  const what = how === 'cut' ? 'breaks' : 'falls silent';
  return {
    name: `the line to the ${server} of ${whose === 'one' ? 'a member' : 'every member'} ${what}`,
    async happen({ cluster, lines }, index) {
      const hit = whose === 'one' ? [index] : [...cluster.members.keys()];
      for (const member of hit) lines.of(server, member)[how]();
      await sleep(BROKEN_MS);
      for (const member of hit) lines.of(server, member).mend();
    },
  };
}

/** In this order, repeatedly; a short run covers the first ones. */
export const FAULTS: readonly Fault[] = [
  killed,
  broken('database', 'cut', 'all'),
  frozen,
  broken('bus', 'cut', 'all'),
  broken('database', 'silence', 'one'),
  stopped,
  broken('bus', 'silence', 'one'),
  broken('database', 'cut', 'one'),
];
