import { Curve } from 'baileys';
import curve25519 from 'curve25519-js';
import libsignal from 'libsignal/src/curve.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKeyPair, speedUpKeyPairs } from './key-pairs.ts';

describe('a key pair', () => {
  const { generateKeyPair: ofTheClient } = Curve;
  const { generateKeyPair: ofLibsignal } = libsignal;
  beforeAll(speedUpKeyPairs);
  afterAll(() => {
    Curve.generateKeyPair = ofTheClient;
    libsignal.generateKeyPair = ofLibsignal;
  });

  it('has the public key that belongs to its private one, and is another each time', () => {
    const pairs = Array.from({ length: 20 }, makeKeyPair);
    for (const pair of pairs) {
      expect(pair.private).toHaveLength(32);
      expect(pair.public).toEqual(Buffer.from(curve25519.generateKeyPair(pair.private).public));
    }
    expect(new Set(pairs.map((pair) => pair.private.toString('hex'))).size).toBe(pairs.length);
  });

  it('of the client agrees with one of libsignal as it was', () => {
    const theirs = ofLibsignal();
    const ours = Curve.generateKeyPair();
    expect(ofTheClient).not.toBe(Curve.generateKeyPair);
    expect(Curve.sharedKey(ours.private, theirs.pubKey)).toEqual(
      libsignal.calculateAgreement(Buffer.concat([Buffer.of(5), ours.public]), theirs.privKey),
    );
  });

  it('of libsignal has the form that it always had', () => {
    const before = ofLibsignal();
    const now = libsignal.generateKeyPair();
    expect([now.pubKey.length, now.pubKey[0], now.privKey.length]).toEqual([
      before.pubKey.length,
      before.pubKey[0],
      before.privKey.length,
    ]);
    expect(libsignal.calculateAgreement(now.pubKey, before.privKey)).toEqual(
      libsignal.calculateAgreement(before.pubKey, now.privKey),
    );
  });
});
