import { deserialize, serialize } from 'node:v8';

/**
 * The same copy that the local bus makes of everything (`structuredClone`), as bytes: what one bus carries, the other does too,
 * bytes and `undefined` included.
 */
export function encode(value: unknown): Uint8Array {
  return serialize(value);
}

export function decode(bytes: Uint8Array): unknown {
  return deserialize(bytes);
}
