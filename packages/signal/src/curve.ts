import { generateKeyPairSync } from 'node:crypto';
import { Curve } from 'baileys';
import curve25519 from 'curve25519-js';
import libsignal from 'libsignal/src/curve.js';
import * as compiled from 'whatsapp-rust-bridge';

/** Type byte of a public key, wherever libsignal stores or sends one. */
const VERSION = Buffer.from([5]);
const SIGNATURE_BYTES = 64;

/** The libraries' original functions, which our tests compare with. */
export const originalCurve = { ...libsignal, sign: curve25519.sign, verify: curve25519.verify };

/**
 * Curve operations of the libraries: libsignal signs in plain JavaScript, and encodes each key for exchange, which costs more
 * than the curve itself. A link begins with 812 key pairs, and every turn of a conversation takes another and two agreements.
 * Here Signal's own code does it, compiled to WebAssembly, which the client has loaded anyway; key pairs, most of that time, are
 * made by Node.js in half the time. The client has copied some functions from libsignal, and reads others from an exported
 * object, so each is replaced where it is looked up. The client's own agreements, three per connection, stay: the gateway guards
 * them.
 */
export function useFastCurve(): void {
  Curve.generateKeyPair = makeKeyPair;
  libsignal.generateKeyPair = () => {
    const pair = makeKeyPair();
    return { privKey: pair.private, pubKey: Buffer.concat([VERSION, pair.public]) };
  };
  libsignal.calculateAgreement = agree;
  curve25519.sign = compiled.calculateSignature;
  curve25519.verify = verify;
}

function makeKeyPair(): { private: Buffer<ArrayBuffer>; public: Buffer<ArrayBuffer> } {
  const { d = '', x = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' });
  return { private: Buffer.from(d, 'base64url'), public: Buffer.from(x, 'base64url') };
}

function agree(publicKey: Uint8Array, privateKey: Uint8Array): Buffer<ArrayBuffer> {
  const secret = attempt(() => Buffer.from(compiled.calculateAgreement(publicKey, privateKey)));
  // A point of low order gives this result for every private key: its sender knows the secret without any key.
  if (secret.every((byte) => byte === 0)) throw new Error('The public key has a low order.');
  return secret;
}

function verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false;
  return attempt(() => compiled.verifySignature(publicKey, message, signature));
}

/** It throws strings, which have no stack and are not instances of Error. */
function attempt<T>(compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    throw error instanceof Error ? error : new Error(String(error));
  }
}
