import crypto, { createCipheriv, createDecipheriv, createHmac, createSecretKey } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

type Keyed = (algorithm: string, key: unknown, ...rest: never[]) => unknown;

/** Node.js's original functions, which our tests compare with. */
export const originalKeyed = { createHmac, createCipheriv, createDecipheriv };

/**
 * For a key as plain bytes, Node.js 24 detects slowly that it is no KeyObject, which takes four times as long as making a
 * KeyObject and five times as long as using it: 25 µs of 30, and a message takes some thirty ciphers and hashes. The libraries
 * have fresh keys for most of these, so their calls now make the KeyObject first. For the whole process: Node.js has no narrower
 * hook.
 */
export function useKeyObjects(): void {
  const quick = Object.entries(originalKeyed).map(([name, slow]) => [name, withKeyObject(slow as Keyed)]);
  Object.assign(crypto, Object.fromEntries(quick));
  // Modules have imported these functions by name.
  syncBuiltinESMExports();
}

function withKeyObject(slow: Keyed): Keyed {
  return (algorithm, key, ...rest) =>
    slow(algorithm, ArrayBuffer.isView(key) ? createSecretKey(key as NodeJS.ArrayBufferView) : key, ...rest);
}
