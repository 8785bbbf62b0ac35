import { isAbsolute } from 'node:path';
import { StoreError } from './errors.ts';
import { readServers } from './postgres/servers.ts';

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
