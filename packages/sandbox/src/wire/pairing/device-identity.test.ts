import { createHmac, randomBytes } from 'node:crypto';
import { Curve, proto } from 'baileys';
import { verifySignature } from 'libsignal/src/curve.js';
import { expect, it } from 'vitest';
import { encodeDeviceIdentity, rawIdOf } from './device-identity.ts';

it('is sealed with the scanned secret and signed by the phone over this device', () => {
  const account = Curve.generateKeyPair();
  const companionIdentity = Curve.generateKeyPair().public;
  const advSecret = randomBytes(32);
  const encoded = encodeDeviceIdentity({
    account,
    companionIdentity,
    advSecret,
    device: 7,
    timestamp: 1_700_000_000,
  });
  const { details: outer, hmac } = proto.ADVSignedDeviceIdentityHMAC.decode(encoded);
  const sealed = Buffer.from(outer ?? []);
  expect(Buffer.from(hmac ?? [])).toEqual(createHmac('sha256', advSecret).update(sealed).digest());

  const { details, accountSignature, accountSignatureKey } = proto.ADVSignedDeviceIdentity.decode(sealed);
  const inner = Buffer.from(details ?? []);
  expect(Buffer.from(accountSignatureKey ?? [])).toEqual(Buffer.from(account.public));
  expect(proto.ADVDeviceIdentity.decode(inner)).toMatchObject({
    keyIndex: 7,
    rawId: rawIdOf(account.public),
  });
  const verified = (device: Uint8Array) =>
    verifySignature(
      Buffer.concat([Buffer.of(5), account.public]),
      Buffer.concat([Buffer.of(6, 0), inner, device]),
      Buffer.from(accountSignature ?? []),
    );
  expect(verified(companionIdentity)).toBe(true);
  expect(verified(Curve.generateKeyPair().public)).toBe(false);
});
