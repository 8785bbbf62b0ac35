import { type RawBuilder, sql } from 'kysely';
import type { Reader, Store } from '#platform/store';
import type { SealedColumn } from './sealed-columns.ts';

export type SealedRow = Readonly<Record<string, string>> & { readonly box: Uint8Array };

/** Boxes that do not begin like this, in the order of their rows, behind the last one seen. */
export async function staleBoxes(
  read: Reader,
  { table, column, key, needs = [] }: SealedColumn,
  { header, after, limit }: { header: Uint8Array; after: SealedRow | undefined; limit: number },
): Promise<SealedRow[]> {
  const refs = sql.join([...key, ...needs].map((name) => sql.ref(name)));
  const keyRefs = sql.join(key.map((name) => sql.ref(name)));
  const behind = after ? sql`and (${keyRefs}) > (${sql.join(key.map((name) => after[name]))})` : sql``;
  const { rows } = await sql<SealedRow>`
    select ${refs}, ${sql.ref(column)} as box from ${sql.table(table)}
    where ${beginsOtherwise(column, header)} ${behind} order by ${keyRefs} limit ${limit}`.execute(read);
  return rows;
}

export async function countStale(
  read: Reader,
  { table, column }: SealedColumn,
  header: Uint8Array,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where ${beginsOtherwise(column, header)}`.execute(read);
  return Number(rows[0]?.count ?? 0);
}

function beginsOtherwise(column: string, header: Uint8Array): RawBuilder<unknown> {
  return sql`${sql.ref(column)} is not null and substr(${sql.ref(column)}, 1, ${sql.lit(header.length)}) <> ${header}`;
}

/** Replaces boxes that were not written meanwhile; a concurrent write has sealed them anew. */
export async function replaceBoxes(
  store: Pick<Store, 'transaction'>,
  { table, column, key }: SealedColumn,
  boxes: readonly { readonly row: SealedRow; readonly box: Uint8Array }[],
): Promise<void> {
  await store.transaction(async (trx) => {
    for (const { row, box } of boxes) {
      const same = sql.join(
        key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
        sql` and `,
      );
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${box}
        where ${same} and ${sql.ref(column)} = ${row.box}`.execute(trx);
    }
  });
}

/** Processes that host numbers at this moment, and the keys that they open boxes with. */
export async function keysOfWorkers(
  read: Reader,
  now: number,
): Promise<{ readonly worker: string; readonly keyIds: readonly string[] }[]> {
  const rows = await read
    .selectFrom('workers')
    .select(['worker', 'key_ids'])
    .where('lease_expires_at', '>', now)
    .execute();
  return rows.map(({ worker, key_ids }) => ({ worker, keyIds: key_ids?.split(',') ?? [] }));
}
