import { Curve } from 'baileys';
import { describe, expect, test } from 'vitest';
import {
  codeToCompare,
  composePrologue,
  deriveHandoffKey,
  derivePairingKey,
  proveHandoff,
  readPrimary,
  sealPairingRequest,
} from './maths.ts';
import vectors from './vectors.json' with { type: 'json' };

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const hex = (value: Uint8Array): string => Buffer.from(value).toString('hex');

/** Made by `vectors.py`, which shares no code with the tested functions. */
describe.each(vectors)('linking $name', (vector) => {
  const prologue = composePrologue({
    seed: bytes(vector.seed),
    nonce: bytes(vector.nonce),
    deviceType: vector.deviceType,
    ref: vector.ref,
  });
  const primary = { publicKey: bytes(vector.primaryPublic), nonce: bytes(vector.primaryNonce) };

  test('begins with a commitment', () => {
    expect(hex(prologue.payload)).toBe(vector.payload);
  });

  test('proves that the phone scans this screen', () => {
    const key = deriveHandoffKey(bytes(vector.advSecret));
    expect(hex(key)).toBe(vector.handoffKey);
    expect(hex(proveHandoff(key, bytes(vector.payload)))).toBe(vector.proof);
  });

  test('reads the phone’s answer', () => {
    const read = readPrimary(bytes(vector.primary));
    expect(read && { publicKey: hex(read.publicKey), nonce: hex(read.nonce) }).toEqual({
      publicKey: vector.primaryPublic,
      nonce: vector.primaryNonce,
    });
  });

  test('computes the code that the phone shows', () => {
    expect(codeToCompare(prologue, primary)).toBe(vector.code);
  });

  test('seals the device data for the phone', () => {
    const key = derivePairingKey(prologue, primary);
    expect(hex(key)).toBe(vector.pairingKey);
    const sealed = sealPairingRequest(key, bytes(vector.iv), {
      noiseKey: bytes(vector.noiseKey),
      identityKey: bytes(vector.identityKey),
      advSecret: bytes(vector.rotatedSecret),
    });
    expect(hex(sealed)).toBe(vector.encryptedPairingRequest);
  });
});

test('rejects an invalid answer of the phone', () => {
  expect(readPrimary(Buffer.from('hello'))).toBeUndefined();
  expect(readPrimary(Buffer.of())).toBeUndefined();
  const short = Buffer.concat([Buffer.of(0x0a, 31), Buffer.alloc(31), Buffer.of(0x12, 32), Buffer.alloc(32)]);
  expect(readPrimary(short)).toBeUndefined();
});

test('rejects a key of low order, with which the secret is public', () => {
  const prologue = composePrologue({
    seed: Curve.generateKeyPair().private,
    nonce: Buffer.alloc(32),
    deviceType: 1,
    ref: '2@',
  });
  expect(() =>
    derivePairingKey(prologue, { publicKey: Buffer.alloc(32), nonce: Buffer.alloc(32) }),
  ).toThrow();
});
