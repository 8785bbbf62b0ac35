import { fromLatin1, toLatin1 } from '#kernel';
/** What a statement answers, by the place of its columns. */
export interface Columns {
  readonly names: readonly string[];
  /** Those that hold bytes. */
  readonly bytes: readonly number[];
}

/**
 * Rows on their way between threads: without the names of their columns, and bytes as text of one character each. The names again and
 * again, and a buffer for every value, would take longer to make and to read than all that the rows hold.
 */
export interface PackedRows extends Columns {
  readonly rows: readonly unknown[][];
}

/** Takes rows as they come from the statement, and uses them up. */
export function packRows(rows: unknown[][], columns: Columns): PackedRows {
  const { bytes } = columns;
  if (bytes.length > 0) {
    for (const row of rows) {
      for (const place of bytes) {
        const value = row[place];
        if (value instanceof Uint8Array) row[place] = toLatin1(value);
      }
    }
  }
  return { ...columns, rows };
}

export function unpackRows({ names, bytes, rows }: PackedRows): Record<string, unknown>[] {
  return rows.map((values) => {
    for (const place of bytes) {
      const value = values[place];
      if (typeof value === 'string') values[place] = fromLatin1(value);
    }
    const row: Record<string, unknown> = {};
    for (const [place, name] of names.entries()) row[name] = values[place];
    return row;
  });
}
