/** Bytes as a string with one character each: the cheapest form to pass between threads and to bind to statements. */
export function toLatin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

export function fromLatin1(text: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(text, 'latin1');
  return new Uint8Array(buffer, byteOffset, byteLength);
}
