import { generateKeyPairSync } from 'node:crypto';
import { Curve } from 'baileys';
import libsignal from 'libsignal/src/curve.js';

/** Says which curve a public key is of, wherever libsignal keeps or sends one. */
const VERSION = Buffer.of(5);

interface RawKeyPair {
  readonly private: Buffer;
  readonly public: Buffer;
}

/**
 * A new link makes 812 key pairs, and every turn of a conversation another. libsignal has each encoded for exchange with strangers, and cuts
 * the keys out of that again: it takes half of the time. Here the keys come as they are. The client has the function from libsignal once
 * and for all, so its own is replaced as well.
 */
export function speedUpKeyPairs(): void {
  Curve.generateKeyPair = makeKeyPair;
  libsignal.generateKeyPair = () => {
    const pair = makeKeyPair();
    return { privKey: pair.private, pubKey: Buffer.concat([VERSION, pair.public]) };
  };
}

export function makeKeyPair(): RawKeyPair {
  const { d = '', x = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' });
  return { private: Buffer.from(d, 'base64url'), public: Buffer.from(x, 'base64url') };
}
