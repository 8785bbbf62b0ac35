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
