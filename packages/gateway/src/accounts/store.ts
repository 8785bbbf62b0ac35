import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Store, Writer } from '#store';

/**
 * Runs a change of accounts, keys, numbers or terms; such changes follow each other, in all processes together. So what a change
 * looks up before it writes (is this email free? is this the first number?) still holds when it writes, and the numbers of the audit
 * log are committed in order. SQLite has one writer: there transactions take turns by themselves.
 */
export function changeInTurn<T>(store: Store, work: (trx: Writer) => Promise<T>): Promise<T> {
  return store.transaction(async (trx) => {
    if (store.dialect === 'postgres') await sql`select pg_advisory_xact_lock(${CHANGE_LOCK})`.execute(trx);
    return work(trx);
  });
}

const CHANGE_LOCK = createHash('sha256').update('parley accounts').digest().readInt32BE();
