import { parseStoreUrl } from './address.ts';
import { openPostgres, reachPostgres } from './postgres/open.ts';
import { openSqlite, reachSqlite } from './sqlite/open.ts';
import type { SharedStore, Store, StoreOptions } from './types.ts';

/** Opens the database, migrates its schema, and returns a store that is ready to read and write. */
export async function openStore({ url, ...options }: StoreOptions): Promise<Store> {
  const address = parseStoreUrl(url);
  return address.dialect === 'sqlite'
    ? openSqlite(address.path, options)
    : openPostgres(address.url, options);
}

/** Creates this thread's store on the database that another thread of the process has opened. */
export function reachStore(
  shared: SharedStore,
  options: Pick<StoreOptions, 'clock' | 'log' | 'masterKeys' | 'onCommit'>,
): Store {
  return shared.dialect === 'sqlite' ? reachSqlite(shared, options) : reachPostgres(shared.url, options);
}
