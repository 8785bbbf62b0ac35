import { isIP } from 'node:net';
import type { Vault } from '../world/index.ts';
import { fromBytes, toBytes } from './json-bytes.ts';

/** Names by which clients reach the servers of the network. */
export interface Reach {
  /** Stands in the addresses that clients get. */
  readonly host: string;
  /** Names for the certificate: host names and addresses. */
  readonly names: readonly string[];
  /** A client has reached the network by this name. */
  learn(host: string): void;
}

const SCOPE = 'server';
const KEY = 'reached-by';
const LOOPBACK = ['localhost', '127.0.0.1'];
/** A server that listens on these listens on all addresses of its machine. */
const ALL_ADDRESSES: ReadonlySet<string> = new Set(['0.0.0.0', '::']);
const HOST_NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/i;
const MOST_NAMES = 16;

/**
 * `listening` is the address of the servers. Where it stands for all addresses of the machine, the name comes from `announced`, or from
 * the clients that ask; it is kept, because clients that return after a restart do not ask again.
 */
export function createReach({
  vault,
  listening,
  announced,
  onLearned,
}: {
  vault: Vault;
  listening: string;
  announced?: string | undefined;
  onLearned: () => void;
}): Reach {
  const fixed = announced ?? (ALL_ADDRESSES.has(listening) ? undefined : listening);
  const kept = vault.read(SCOPE, KEY);
  let learned = kept ? fromBytes<string[]>(kept) : [];
  return {
    get host() {
      return inAddress(fixed ?? learned[0] ?? '127.0.0.1');
    },
    get names() {
      return [...new Set([...LOOPBACK, ...(fixed === undefined ? [] : [fixed]), ...learned])];
    },
    learn(host) {
      const name = host.replace(/^\[(.*)\]$/, '$1');
      if (!ALL_ADDRESSES.has(listening) || learned[0] === name) return;
      if (ALL_ADDRESSES.has(name) || (isIP(name) === 0 && !HOST_NAME.test(name))) return;
      learned = [name, ...learned.filter((each) => each !== name)].slice(0, MOST_NAMES);
      vault.write(SCOPE, KEY, toBytes(learned));
      onLearned();
    },
  };
}

function inAddress(name: string): string {
  return isIP(name) === 6 ? `[${name}]` : name;
}
