import curve25519 from 'curve25519-js';
import fc from 'fast-check';
import { calculateSignature, generateKeyPair, verifySignature } from 'libsignal/src/curve.js';
import { describe, expect, it } from 'vitest';
import { signXeddsa, slowCurve, speedUpSignatures, verifyXeddsa } from './xeddsa.ts';

const { sign, verify } = slowCurve;
const keys = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((seed) => curve25519.generateKeyPair(seed));
const messages = fc.uint8Array({ minLength: 1, maxLength: 300 });
const RUNS = { numRuns: 25 };

describe('a signature', () => {
  it('of ours is believed by the library, and one of the library by us', () => {
    fc.assert(
      fc.property(keys, messages, (pair, message) => {
        expect(verify(pair.public, message, signXeddsa(pair.private, message))).toBe(true);
        expect(verifyXeddsa(pair.public, message, sign(pair.private, message, undefined))).toBe(true);
      }),
      RUNS,
    );
  });

  it('is refused as soon as one bit of it, of its message or of its key is another', () => {
    fc.assert(
      fc.property(keys, messages, fc.nat(), fc.constantFrom(0, 1, 2), (pair, message, at, which) => {
        const parts = [pair.public, message, signXeddsa(pair.private, message)].map((part) =>
          Uint8Array.from(part),
        );
        const changed = parts[which] ?? message;
        // The highest bit of a key means nothing to anybody.
        const bit = at % (changed.length * 8 - (which === 0 ? 1 : 0));
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(verifyXeddsa(...(parts as [Uint8Array, Uint8Array, Uint8Array]))).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  it('is another each time', () => {
    const [pair] = fc.sample(keys, 1);
    const message = Buffer.from('the same');
    const made = () => Buffer.from(signXeddsa(pair?.private ?? message, message)).toString('hex');
    expect(made()).not.toBe(made());
  });

  it('is refused for a key that is no point of the curve, and for bytes that are no signature', () => {
    const minusOne = Buffer.alloc(32, 0xff).fill(0xec, 0, 1).fill(0x7f, 31);
    expect(verifyXeddsa(minusOne, Buffer.from('m'), Buffer.alloc(64))).toBe(false);
    expect(verifyXeddsa(Buffer.alloc(32, 9), Buffer.from('m'), Buffer.alloc(64, 0xff))).toBe(false);
    expect(verifyXeddsa(Buffer.alloc(32, 9), Buffer.from('m'), Buffer.alloc(0))).toBe(false);
  });

  it('is made and verified by the library in this way from now on', () => {
    speedUpSignatures();
    const { pubKey, privKey } = generateKeyPair();
    const message = Buffer.from('signed by libsignal');
    const signature = calculateSignature(privKey, message);
    expect(signature).not.toEqual(calculateSignature(privKey, message));
    expect(verifySignature(pubKey, message, signature)).toBe(true);
    expect(verify(pubKey.subarray(1), message, signature)).toBe(true);
  });
});
