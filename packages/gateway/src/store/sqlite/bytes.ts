/**
 * Bytes cross between threads as text of one character each: a buffer of its own for every value would take longer to make, and to
 * collect, than all the rest of its row.
 */

type Row = Record<string, unknown>;

export function bytesToText(rows: readonly unknown[], columns: readonly string[]): void {
  // The rows of an answer are objects with a field for each column.
  for (const row of rows as Row[]) {
    for (const column of columns) {
      const value = row[column];
      if (value instanceof Uint8Array) row[column] = textOf(value);
    }
  }
}

export function textToBytes(rows: readonly unknown[], columns: readonly string[]): void {
  for (const row of rows as Row[]) {
    for (const column of columns) {
      const value = row[column];
      if (typeof value === 'string') row[column] = Buffer.from(value, 'latin1');
    }
  }
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}
