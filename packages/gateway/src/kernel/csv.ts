/** Rows as RFC 4180 says, with their columns named above. */
export function csvOf(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): string {
  const lines = rows.map((row) => columns.map((column) => field(row[column])).join(','));
  return [columns.join(','), ...lines, ''].join('\r\n');
}

/** A spreadsheet would run what begins like a formula; quoted by an apostrophe it shows it instead. */
function field(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
