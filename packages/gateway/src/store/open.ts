import { parseStoreUrl } from './address.ts';
import { openPostgres } from './postgres/open.ts';
import { openSqlite } from './sqlite/open.ts';
import type { Store, StoreOptions } from './types.ts';

/** Opens the database, brings its schema up to date, and is ready to read and write. */
export async function openStore({ url, ...options }: StoreOptions): Promise<Store> {
  const address = parseStoreUrl(url);
  return address.dialect === 'sqlite'
    ? openSqlite(address.path, options)
    : openPostgres(address.url, options);
}
