import { BufferJSON } from 'baileys';

/** Plain data with buffers inside, to and from the bytes that the vault keeps. */

export function toBytes(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value, BufferJSON.replacer));
}

/** `T` is what `toBytes` once got: the vault holds nothing but our own writing. */
export function fromBytes<T>(bytes: Uint8Array): T {
  return JSON.parse(Buffer.from(bytes).toString('utf8'), BufferJSON.reviver);
}
