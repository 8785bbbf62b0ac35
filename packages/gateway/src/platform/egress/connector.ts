import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, fetch } from 'undici';
import type { Clock } from '#kernel';
import { isPublicAddress } from './addresses.ts';
import { CHECKED_CONNECTION } from './connection-guard.ts';
import { EgressError } from './errors.ts';

/** Resolves a host name to addresses; tests inject their own. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

const CONNECT_WITHIN_MS = 8_000;

/**
 * Connects to public addresses only. There is one lookup per connection, and the socket uses the very addresses that were checked, so
 * a second, different DNS answer has no effect (DNS rebinding).
 */
export function createGuardedConnector(resolve: Resolve): buildConnector.connector {
  const connect = buildConnector({
    ...CHECKED_CONNECTION,
    allowH2: false,
    timeout: CONNECT_WITHIN_MS,
    lookup: lookupThrough(async (hostname) => {
      const addresses = await resolve(hostname);
      // A private address among public ones is no accident.
      if (!addresses.every(({ address }) => isPublicAddress(address)))
        throw new EgressError('forbidden_address');
      return addresses;
    }),
  });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
    // An IP address is never looked up, so it is checked here.
    if (isIP(host) !== 0 && !isPublicAddress(host)) {
      callback(new EgressError('forbidden_address'), null);
      return;
    }
    connect(options, callback);
  };
}

/** Connects anywhere: for development, where everything runs on one machine. */
export function createOpenConnector(resolve: Resolve): buildConnector.connector {
  return buildConnector({
    ...CHECKED_CONNECTION,
    allowH2: false,
    timeout: CONNECT_WITHIN_MS,
    lookup: lookupThrough(resolve),
  });
}

export function resolveBySystem(hostname: string): Promise<readonly ResolvedAddress[]> {
  return new Promise((done, fail) => {
    systemLookup(hostname, { all: true }, (error, addresses) => (error ? fail(error) : done(addresses)));
  });
}

/** Lookup in the form that sockets expect. Fails without any address. */
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

/**
 * `fetch` for a service that the operator has configured, which may be in a private network. Settles in time, whatever the service
 * does.
 */
interface ServiceFetch {
  readonly fetch: typeof globalThis.fetch;
  /** Aborts requests in progress. */
  close(): Promise<void>;
}

interface Limits {
  /** Until a response begins. */
  readonly answerMs: number;
  /** Additional time for a request with a body. */
  readonly bodyMs: number;
  /** Between two chunks of a response. */
  readonly stallMs: number;
}

export function createServiceFetch({
  clock,
  limits: { answerMs, bodyMs, stallMs },
}: {
  clock: Pick<Clock, 'after'>;
  limits: Limits;
}): ServiceFetch {
  const dispatcher = new Agent({
    connect: createOpenConnector(resolveBySystem),
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: stallMs,
  });

  async function ask(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const late = new AbortController();
    const timer = clock.after(answerMs + (init.body ? bodyMs : 0), () => late.abort());
    try {
      const signal = init.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal;
      const options = { ...init, signal, dispatcher, redirect: 'manual' as const };
      return (await fetch(url, options as Parameters<typeof fetch>[1])) as unknown as Response;
    } finally {
      // From here on the stall timeout applies.
      timer.cancel();
    }
  }

  return { fetch: ask as typeof globalThis.fetch, close: () => dispatcher.destroy() };
}
