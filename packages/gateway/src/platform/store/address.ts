import { isAbsolute } from 'node:path';
import { StoreError } from './errors.ts';

type StoreAddress =
  | { readonly dialect: 'sqlite'; readonly path: string }
  | { readonly dialect: 'postgres'; readonly url: string };

export function parseStoreUrl(url: string): StoreAddress {
  const path = /^sqlite:(?:\/\/(?=\/))?(.*)$/.exec(url)?.[1];
  if (path !== undefined && isAbsolute(path)) return { dialect: 'sqlite', path };
  if (readServers(url)) return { dialect: 'postgres', url };
  throw new StoreError(
    'bad_url',
    'A database address is sqlite:/absolute/path or postgres://user:password@host:port/database, with several host:port of one database with commas between them, ?target_session_attrs=read-write and ?pooler=transaction where they hold.',
  );
}

/** What Parley reads from a PostgreSQL address beyond the client library. */
export interface PostgresServers {
  /** One address per named server; one of them takes writes. */
  readonly urls: readonly [string, ...string[]];
  /** Hosts for display. */
  readonly hosts: string;
  /** Skips servers that take no writes. */
  readonly seekPrimary: boolean;
  /** A pooler lends sessions per transaction: no session state outlives one. */
  readonly pooled: boolean;
}

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]+)([^?]*)(\?.*)?$/;
const TAKING_WRITES = ['read-write', 'primary'];

/**
 * Reads several hosts and `target_session_attrs` as PostgreSQL's own programs do, and `pooler`, which is ours. Undefined for an
 * invalid address.
 */
export function readServers(url: string): PostgresServers | undefined {
  const [, before = '', hosts = '', path = '', query = ''] = PARTS.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  const attributes = parameters.get('target_session_attrs');
  const pooler = parameters.get('pooler');
  if (attributes !== null && !TAKING_WRITES.includes(attributes)) return undefined;
  if (pooler !== null && pooler !== 'transaction') return undefined;
  for (const ours of ['target_session_attrs', 'pooler']) parameters.delete(ours);
  const rest = parameters.size > 0 ? `${path}?${parameters}` : path;
  const [first, ...others] = hosts.split(',').map((host) => `${before}${host}${rest}`);
  if (first === undefined || ![first, ...others].every((each) => URL.parse(each)?.hostname)) return undefined;
  return {
    urls: [first, ...others],
    hosts,
    seekPrimary: others.length > 0 || attributes !== null,
    pooled: pooler !== null,
  };
}

/** For an address that was validated before. */
export function serversOf(url: string): PostgresServers {
  const servers = readServers(url);
  if (!servers) throw new StoreError('bad_url', 'This is no address of PostgreSQL.');
  return servers;
}

/** Hosts of the servers, with their ports; none for a database in a file. */
export function databaseHosts(url: string): string[] {
  return (readServers(url)?.urls ?? []).flatMap((each) => {
    const { host, searchParams } = new URL(each);
    return [host, ...searchParams.getAll('host')];
  });
}
