/**
 * Sorts ascending by key, by code unit like `sort()`: `localeCompare` loads a large library. Stable. Rows sorted this way are locked
 * in the same order everywhere.
 */
export function sortBy<T>(items: Iterable<T>, keyOf: (item: T) => string): T[] {
  return [...items].sort((one, other) => compare(keyOf(one), keyOf(other)));
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Bytes as a string with one character each: the cheapest form to pass between threads and to bind to statements. */
export function toLatin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

export function fromLatin1(text: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(text, 'latin1');
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Rows in the format of RFC 4180, with a header line. */
export function csvOf(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): string {
  const lines = rows.map((row) => columns.map((column) => field(row[column])).join(','));
  return [columns.join(','), ...lines, ''].join('\r\n');
}

/** A spreadsheet would execute a value that begins like a formula; a leading apostrophe makes it text. */
function field(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** The word that was probably meant: at most a third of its characters are wrong, missing, extra or swapped. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const near = known
    .map((each) => ({ each, distance: distanceOf(word, each) }))
    .filter(({ each, distance }) => distance <= Math.max(1, Math.floor(each.length / 3)))
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.each;
}

/** Number of characters to replace, insert, remove or swap with their neighbour. */
function distanceOf(from: string, to: string): number {
  const rows = Array.from({ length: from.length + 1 }, (_, i) =>
    Array.from({ length: to.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= from.length; i++) {
    for (let j = 1; j <= to.length; j++) {
      const changed = from[i - 1] === to[j - 1] ? 0 : 1;
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const ways = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + changed];
      if (isSwapped) ways.push(at(i - 2, j - 2) + 1);
      rows[i]?.splice(j, 1, Math.min(...ways));
    }
  }
  return at(from.length, to.length);
}
