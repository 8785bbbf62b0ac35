import { headerOf, type SealedBox, UnopenableBox } from '#kernel';
import type { Store } from '#store';
import { countStale, replaceBoxes, type SealedRow, staleBoxes } from './reseal-store.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';

/** So few that nobody who writes beside this waits long for the database. */
const ROWS_PER_STEP = 50;

export interface ResealProgress {
  /** `table.column` */
  readonly place: string;
  readonly done: number;
  readonly of: number;
}

export interface Resealed {
  readonly rows: number;
  /** Boxes that none of the keys opens: they could not be read before either. */
  readonly unopened: number;
}

/**
 * Seals anew whatever was not sealed under the first key, in small steps, beside gateways that go on reading and writing. How far it has come
 * is told by the boxes themselves: stopped at any moment, it goes on with what is left.
 */
export async function resealAll(
  store: Pick<Store, 'read' | 'transaction'>,
  box: SealedBox,
  onProgress: (progress: ResealProgress) => void,
): Promise<Resealed> {
  let [rows, unopened] = [0, 0];
  for (const column of SEALED_COLUMNS) {
    const found = await resealColumn(store, box, column, onProgress);
    rows += found.rows;
    unopened += found.unopened;
  }
  return { rows, unopened };
}

async function resealColumn(
  store: Pick<Store, 'read' | 'transaction'>,
  box: SealedBox,
  column: SealedColumn,
  onProgress: (progress: ResealProgress) => void,
): Promise<Resealed> {
  const header = headerOf(box.keyIds[0] ?? '');
  const place = `${column.table}.${column.column}`;
  const of = await countStale(store.read, column, header);
  let [rows, unopened] = [0, 0];
  let after: SealedRow | undefined;
  for (;;) {
    onProgress({ place, done: rows + unopened, of });
    const stale = await staleBoxes(store.read, column, { header, after, limit: ROWS_PER_STEP });
    if (stale.length === 0) return { rows, unopened };
    const resealed = stale.flatMap((row) => {
      const anew = sealAnew(box, row.box, column.context(row));
      return anew ? [{ row, box: anew }] : [];
    });
    await replaceBoxes(store, column, resealed);
    rows += resealed.length;
    unopened += stale.length - resealed.length;
    after = stale.at(-1);
  }
}

function sealAnew(box: SealedBox, sealed: Uint8Array, context: string): Uint8Array | undefined {
  try {
    return box.seal(box.open(sealed, context), context);
  } catch (error) {
    if (error instanceof UnopenableBox) return undefined;
    throw error;
  }
}
