import { sql } from 'kysely';
import type { Store, Writer } from './types.ts';

/** In a transaction whose deletions leave nothing behind in the pages of an embedded database. */
export function erase<T>(
  store: Pick<Store, 'transaction' | 'dialect'>,
  work: (trx: Writer) => Promise<T>,
): Promise<T> {
  return store.transaction(async (trx) => {
    if (store.dialect === 'postgres') return work(trx);
    await sql`PRAGMA secure_delete = 1`.execute(trx);
    const done = await work(trx);
    await sql`PRAGMA secure_delete = 0`.execute(trx);
    return done;
  });
}
