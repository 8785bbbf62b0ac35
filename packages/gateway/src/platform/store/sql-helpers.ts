import { type CompiledQuery, sql } from 'kysely';
import type { Reader, Store, Writer } from './types.ts';

/** Placeholder for the value in the compiled query; no real value equals it. */
const ANY = '\u0000any';

/** Compiles a frequent query with one text parameter once: compiling takes as long as running it. */
export function compiledOnce<Row>(
  build: (read: Reader, value: string) => { compile(): CompiledQuery<Row> },
): (read: Reader, value: string) => Promise<readonly Row[]> {
  const known = new WeakMap<Reader, CompiledQuery<Row>>();
  return async (read, value) => {
    const compiled = known.get(read) ?? build(read, ANY).compile();
    known.set(read, compiled);
    const parameters = compiled.parameters.map((each) => (each === ANY ? value : each));
    const { rows } = await read.executeQuery<Row>({ ...compiled, parameters });
    return rows;
  };
}

/** SQL: one of these columns contains a text, ignoring case. Scans every candidate row. */
export function containsText(columns: readonly string[], text: string) {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  const found = columns.map((column) => sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`);
  return sql<boolean>`(${sql.join(found, sql` or `)})`;
}

/** Runs a transaction whose deletions leave no data behind in the pages of an embedded database. */
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
