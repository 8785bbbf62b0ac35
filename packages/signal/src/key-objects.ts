import crypto, { createCipheriv, createDecipheriv, createHmac, createSecretKey } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

type Keyed = (algorithm: string, key: unknown, ...rest: never[]) => unknown;

/** What is replaced, as it comes with Node.js: the judge of ours. */
export const slowKeyed = { createHmac, createCipheriv, createDecipheriv };

/**
 * Given a key as plain bytes, Node.js 24 finds out in a costly way that they are no object, which takes four times as long as to make an
 * object of them and five times as long as to use it: 25 µs of 30, and a message takes some thirty ciphers and hashes. The libraries have
 * fresh keys for most of these, so what they call makes the object itself. For the whole process: Node.js has no other place for it.
 */
export function takeKeysAsObjects(): void {
  const quick = Object.entries(slowKeyed).map(([name, slow]) => [name, withKeyObject(slow as Keyed)]);
  Object.assign(crypto, Object.fromEntries(quick));
  // Modules have taken these functions by name.
  syncBuiltinESMExports();
}

function withKeyObject(slow: Keyed): Keyed {
  return (algorithm, key, ...rest) =>
    slow(algorithm, ArrayBuffer.isView(key) ? createSecretKey(key as NodeJS.ArrayBufferView) : key, ...rest);
}
