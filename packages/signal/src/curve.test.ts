import { Curve } from 'baileys';
import curve25519 from 'curve25519-js';
import fc from 'fast-check';
import libsignal from 'libsignal/src/curve.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { originalCurve, useFastCurve } from './curve.ts';

const keys = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((seed) => curve25519.generateKeyPair(seed));
const messages = fc.uint8Array({ minLength: 1, maxLength: 300 });
/** The libraries' own curve takes milliseconds per operation. */
const RUNS = { numRuns: 10 };
const versioned = (key: Uint8Array) => Buffer.concat([Buffer.of(5), key]);

beforeAll(useFastCurve);

describe('a key pair', () => {
  it('has a matching public key, and differs each time', () => {
    const pairs = Array.from({ length: 20 }, () => Curve.generateKeyPair());
    for (const pair of pairs)
      expect(pair.public).toEqual(Buffer.from(curve25519.generateKeyPair(pair.private).public));
    expect(new Set(pairs.map((pair) => Buffer.from(pair.private).toString('hex'))).size).toBe(pairs.length);
  });

  it('has the encoding of the libraries', () => {
    const before = originalCurve.generateKeyPair();
    const now = libsignal.generateKeyPair();
    expect(now.pubKey).toBeInstanceOf(Buffer);
    expect(now.privKey).toBeInstanceOf(Buffer);
    expect([now.pubKey.length, now.pubKey[0], now.privKey.length]).toEqual([
      before.pubKey.length,
      before.pubKey[0],
      before.privKey.length,
    ]);
  });
});

describe('an agreement', () => {
  it("is the same as the libraries', and the same from both ends", () => {
    fc.assert(
      fc.property(keys, keys, (ours, theirs) => {
        const secret = originalCurve.calculateAgreement(versioned(theirs.public), Buffer.from(ours.private));
        expect(libsignal.calculateAgreement(versioned(theirs.public), ours.private)).toEqual(secret);
        expect(libsignal.calculateAgreement(versioned(ours.public), theirs.private)).toEqual(secret);
        expect(libsignal.calculateAgreement(theirs.public, ours.private)).toEqual(secret);
      }),
      RUNS,
    );
  });

  it.each([
    ['agrees with everybody', Buffer.alloc(32)],
    ['is too short', Buffer.alloc(31, 9)],
    ['is of another curve', Buffer.alloc(33, 9)],
  ])('is refused with a public key that %s', (_what, key) => {
    const { private: ours } = Curve.generateKeyPair();
    expect(() => libsignal.calculateAgreement(key, ours)).toThrow(Error);
    expect(() => originalCurve.calculateAgreement(key, Buffer.from(ours))).toThrow(Error);
  });
});

describe('a signature', () => {
  it('of ours verifies with the libraries, and one of theirs with ours', () => {
    fc.assert(
      fc.property(keys, messages, (pair, message) => {
        const signature = libsignal.calculateSignature(Buffer.from(pair.private), message);
        expect(originalCurve.verify(pair.public, message, signature)).toBe(true);
        const theirs = originalCurve.sign(pair.private, message, undefined);
        expect(libsignal.verifySignature(versioned(pair.public), message, theirs)).toBe(true);
      }),
      RUNS,
    );
  });

  it('is refused after a change of one bit in it, in its message or in its key', () => {
    fc.assert(
      fc.property(keys, messages, fc.nat(), fc.constantFrom(0, 1, 2), (pair, message, at, which) => {
        const signature = curve25519.sign(pair.private, message, undefined);
        const parts = [pair.public, message, signature].map((part) => Uint8Array.from(part));
        const changed = parts[which] ?? message;
        // The highest bit of a key is ignored.
        const bit = at % (changed.length * 8 - (which === 0 ? 1 : 0));
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(curve25519.verify(...(parts as [Uint8Array, Uint8Array, Uint8Array]))).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  it('differs each time', () => {
    const { private: key } = Curve.generateKeyPair();
    const made = () => Buffer.from(Curve.sign(key, Buffer.from('the same'))).toString('hex');
    expect(made()).not.toBe(made());
  });

  it('is refused for an invalid key and for an invalid signature', () => {
    const minusOne = Buffer.alloc(32, 0xff).fill(0xec, 0, 1).fill(0x7f, 31);
    const message = Buffer.from('m');
    expect(curve25519.verify(minusOne, message, Buffer.alloc(64))).toBe(false);
    expect(curve25519.verify(Buffer.alloc(32, 9), message, Buffer.alloc(64, 0xff))).toBe(false);
    expect(curve25519.verify(Buffer.alloc(32, 9), message, Buffer.alloc(0))).toBe(false);
  });
});
