import { Curve, proto } from 'baileys';
import { verifySignature } from 'libsignal/src/curve.js';
import { expect, it } from 'vitest';
import { createSteppedClock } from '../../world/fixture.ts';
import { createCertificateIssuer } from './certificates.ts';

const { NoiseCertificate } = proto.CertChain;
const identity = { root: Curve.generateKeyPair(), staticKey: Curve.generateKeyPair() };
const signed = (issuer: Uint8Array, details: Uint8Array, signature: Uint8Array): boolean =>
  verifySignature(Buffer.concat([Buffer.of(5), issuer]), Buffer.from(details), Buffer.from(signature));

it('chains the static key to the root, valid now', () => {
  const clock = createSteppedClock();
  const { leaf, intermediate } = proto.CertChain.decode(createCertificateIssuer({ identity, clock })());
  const leafDetails = NoiseCertificate.Details.decode(leaf?.details ?? Buffer.alloc(0));
  const middleDetails = NoiseCertificate.Details.decode(intermediate?.details ?? Buffer.alloc(0));
  expect(Buffer.from(leafDetails.key ?? []).equals(identity.staticKey.public)).toBe(true);
  expect(middleDetails.issuerSerial).toBe(0);
  expect(leafDetails.issuerSerial).toBe(middleDetails.serial);
  const now = clock.now() / 1000;
  for (const { notBefore, notAfter } of [leafDetails, middleDetails]) {
    expect(Number(notBefore)).toBeLessThan(now);
    expect(Number(notAfter)).toBeGreaterThan(now);
  }
  const root = identity.root.public;
  const middleKey = middleDetails.key ?? Buffer.alloc(0);
  expect(
    signed(root, intermediate?.details ?? Buffer.alloc(0), intermediate?.signature ?? Buffer.alloc(0)),
  ).toBe(true);
  expect(signed(middleKey, leaf?.details ?? Buffer.alloc(0), leaf?.signature ?? Buffer.alloc(0))).toBe(true);
  expect(signed(root, leaf?.details ?? Buffer.alloc(0), leaf?.signature ?? Buffer.alloc(0))).toBe(false);
});

it('is signed again only when it expires', () => {
  const clock = createSteppedClock();
  const issue = createCertificateIssuer({ identity, clock });
  const first = issue();
  clock.advance(86_400_000);
  expect(issue()).toBe(first);
  clock.advance(364 * 86_400_000);
  expect(issue()).not.toBe(first);
});
