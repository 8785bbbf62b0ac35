import { generateKeyPairSync } from 'node:crypto';
import { Curve } from 'baileys';
import curve25519 from 'curve25519-js';
import libsignal from 'libsignal/src/curve.js';
import * as compiled from 'whatsapp-rust-bridge';

/** Says which curve a public key is of, wherever libsignal keeps or sends one. */
const VERSION = Buffer.from([5]);
const SIGNATURE_BYTES = 64;

/** What is replaced, as it comes with the libraries: the judge of ours. */
export const slowCurve = { ...libsignal, sign: curve25519.sign, verify: curve25519.verify };

/**
 * What the libraries do on the curve: libsignal signs in plain JavaScript, and has each key encoded for exchange with strangers, which costs
 * more than the curve itself. A link begins with 812 key pairs, and every turn of a conversation takes another and two agreements. Here all
 * of it is done by Signal's own code, compiled to WebAssembly, which the client has loaded anyway; key pairs, by which most of that time goes,
 * by Node.js itself in half of the time.
 *
 * The client has taken some functions from libsignal once and for all, and others go through an exported object, so each is replaced
 * where it is looked up. The agreements of the client itself, three for each connection, stay: the gateway watches over them.
 */
export function speedUpCurve(): void {
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
  // A point of low order makes this of every private key: whoever sends one knows the secret without knowing a key.
  if (secret.every((byte) => byte === 0)) throw new Error('The public key agrees with everybody.');
  return secret;
}

function verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false;
  return attempt(() => compiled.verifySignature(publicKey, message, signature));
}

/** It throws texts, which have no stack and are no errors to those who catch them. */
function attempt<T>(compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    throw error instanceof Error ? error : new Error(String(error));
  }
}
