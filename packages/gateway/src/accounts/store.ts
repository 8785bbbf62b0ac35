import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Store, Writer } from '#store';

/** Makes transactions that ask for the same name follow each other. SQLite has one writer, so there they always do. */
export async function takeTurn(store: Store, trx: Writer, name: string): Promise<void> {
  if (store.dialect === 'sqlite') return;
  const lock = createHash('sha256').update(name).digest().readInt32BE();
  await sql`select pg_advisory_xact_lock(${lock})`.execute(trx);
}
