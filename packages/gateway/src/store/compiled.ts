import type { CompiledQuery } from 'kysely';
import type { Reader } from './types.ts';

/** Stands for the value in the compiled query; nothing else is called so. */
const ANY = '\u0000any';

/** A query that is asked with every message, and differs by one text alone: compiled once, which takes as long as to ask it. */
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
