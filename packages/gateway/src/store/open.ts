import { isAbsolute } from 'node:path';
import { StoreError } from './errors.ts';
import { openPostgres } from './postgres/open.ts';
import { openSqlite } from './sqlite/open.ts';
import type { Store, StoreOptions } from './types.ts';

/** Opens the database, brings its schema up to date, and is ready to read and write. */
export async function openStore({ url, ...options }: StoreOptions): Promise<Store> {
  const path = /^sqlite:(?:\/\/(?=\/))?(.*)$/.exec(url)?.[1];
  if (path !== undefined && isAbsolute(path)) return openSqlite(path, options);
  if (/^postgres(?:ql)?:\/\/./.test(url) && URL.parse(url)?.hostname) return openPostgres(url, options);
  throw new StoreError(
    'bad_url',
    'A database address is sqlite:/absolute/path or postgres://user:password@host:port/database.',
  );
}
