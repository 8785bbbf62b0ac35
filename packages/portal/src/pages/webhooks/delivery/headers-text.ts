/** Formats headers as in a request or answer. */
export function headersText(headers: readonly { readonly name: string; readonly value: string }[]): string {
  return headers.map(({ name, value }) => `${name}: ${value}`).join('\n');
}
