import { StoreError } from '../errors.ts';

/** What an address of PostgreSQL says, beyond what the client library reads of it. */
export interface PostgresServers {
  /** An address of each server that it names; one of them takes writes. */
  readonly urls: readonly [string, ...string[]];
  /** Where they are, for people. */
  readonly hosts: string;
  /** A server that takes no writes is not the one that is meant. */
  readonly seekPrimary: boolean;
  /** Sessions are lent for a transaction at a time: nothing of a session outlives one. */
  readonly pooled: boolean;
}

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]+)([^?]*)(\?.*)?$/;
const TAKING_WRITES = ['read-write', 'primary'];

/** Several servers and `target_session_attrs` as PostgreSQL's own programs read them, and `pooler`, which is ours; undefined where it is no address. */
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

/** Of an address that was read before. */
export function serversOf(url: string): PostgresServers {
  const servers = readServers(url);
  if (!servers) throw new StoreError('bad_url', 'This is no address of PostgreSQL.');
  return servers;
}
