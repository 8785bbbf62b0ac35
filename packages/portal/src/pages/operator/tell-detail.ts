/** What a change was about, in a line: `name: Reports, phone: 15550001001`. What is nothing is left out. */
export function tellDetail(detail: Readonly<Record<string, unknown>>): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${tellValue(value)}`)
    .join(', ');
}

function tellValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(tellValue).join(' ');
  return typeof value === 'object' && value !== null ? `(${tellDetail({ ...value })})` : String(value);
}
