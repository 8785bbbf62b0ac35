import { BufferJSON } from 'baileys';

/** Plain data with buffers inside, to and from stored bytes. */

export function toBytes(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value, BufferJSON.replacer));
}

/** `T` is the type that `toBytes` got: the vault holds our own writing only. */
export function fromBytes<T>(bytes: Uint8Array): T {
  return JSON.parse(Buffer.from(bytes).toString('utf8'), BufferJSON.reviver);
}
