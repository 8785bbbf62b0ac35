import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress } from './addresses.ts';
import { EgressError } from './errors.ts';

/** Turns a name into addresses; tests put their own in its place. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

const CONNECT_WITHIN_MS = 8_000;

/**
 * Connects to public addresses only. There is one lookup per connection, and the socket goes to the very addresses that were checked:
 * a name that answers differently the second time is never asked a second time.
 */
export function createGuardedConnector(resolve: Resolve): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    timeout: CONNECT_WITHIN_MS,
    lookup: lookupThrough(async (hostname) => {
      const addresses = await resolve(hostname);
      // One private address among public ones is no accident.
      if (!addresses.every(({ address }) => isPublicAddress(address)))
        throw new EgressError('forbidden_address');
      return addresses;
    }),
  });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
    // An address is never looked up, so it is checked here.
    if (isIP(host) !== 0 && !isPublicAddress(host)) {
      callback(new EgressError('forbidden_address'), null);
      return;
    }
    connect(options, callback);
  };
}

/** Connects anywhere: for development, where everything lives on one machine. */
export function createOpenConnector(resolve: Resolve): buildConnector.connector {
  return buildConnector({ allowH2: false, timeout: CONNECT_WITHIN_MS, lookup: lookupThrough(resolve) });
}

export function resolveBySystem(hostname: string): Promise<readonly ResolvedAddress[]> {
  return new Promise((done, fail) => {
    systemLookup(hostname, { all: true }, (error, addresses) => (error ? fail(error) : done(addresses)));
  });
}

/** A lookup in the form that sockets ask for. Without any address it fails: nothing is tried on a guess. */
function lookupThrough(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (!first) callback(new EgressError('unresolvable'), '', 0);
        else if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, '', 0),
    );
  };
}
