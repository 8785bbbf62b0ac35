import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Curve, proto } from 'baileys';
import { describe, expect, test } from 'vitest';
import { codeToCompare, isHandoffProof, matchesCommitment, openPairingRequest } from './phone-crypto.ts';

/** Created without any code of this repository; the gateway's half is tested against the same vectors. */
const vectors: Record<string, string>[] = JSON.parse(
  readFileSync(
    join(import.meta.dirname, '../../../../../gateway/src/network/whatsapp/link/passkey/vectors.json'),
    'utf8',
  ),
);

describe.each(vectors)('the phone, linking $name', (vector) => {
  const bytes = (name: string): Buffer => Buffer.from(vector[name] ?? '', 'hex');
  const ephemeral = { private: bytes('primarySeed'), public: bytes('primaryPublic') };
  const { companionEphemeralIdentity: identity, commitment } = proto.ProloguePayload.decode(bytes('payload'));
  const { publicKey } = proto.CompanionEphemeralIdentity.decode(bytes('identity'));
  const request = proto.EncryptedPairingRequest.decode(bytes('encryptedPairingRequest'));
  const channel = {
    ephemeral,
    companionEphemeral: publicKey ?? Buffer.of(),
    deviceType: Number(vector.deviceType),
    ref: vector.ref ?? '',
  };
  const sealed = { sealed: request.encryptedPayload ?? Buffer.of(), iv: request.iv ?? Buffer.of() };

  test('accepts the proof of the screen before it, and no other', () => {
    expect(isHandoffProof(bytes('advSecret'), bytes('payload'), bytes('proof'))).toBe(true);
    expect(isHandoffProof(bytes('rotatedSecret'), bytes('payload'), bytes('proof'))).toBe(false);
    expect(isHandoffProof(bytes('advSecret'), bytes('payload'), bytes('iv'))).toBe(false);
  });

  test("checks the client's commitment", () => {
    const hash = commitment?.hash ?? Buffer.of();
    expect(matchesCommitment(hash, identity ?? Buffer.of(), bytes('nonce'))).toBe(true);
    expect(matchesCommitment(hash, identity ?? Buffer.of(), bytes('primaryNonce'))).toBe(false);
  });

  test('shows the code', () => {
    expect(codeToCompare(bytes('nonce'), ephemeral.public, bytes('primaryNonce'))).toBe(vector.code);
  });

  test('opens a request sealed for it, and no other', () => {
    const opened = openPairingRequest(channel, sealed) ?? Buffer.of();
    const { companionPublicKey, companionIdentityKey, advSecret } = proto.PairingRequest.decode(opened);
    expect(
      [companionPublicKey, companionIdentityKey, advSecret].map((part) => Buffer.from(part ?? [])),
    ).toEqual([bytes('noiseKey'), bytes('identityKey'), bytes('rotatedSecret')]);
    expect(openPairingRequest({ ...channel, ref: '2@other' }, sealed)).toBeUndefined();
    expect(openPairingRequest({ ...channel, deviceType: 2 }, sealed)).toBeUndefined();
    expect(openPairingRequest({ ...channel, ephemeral: Curve.generateKeyPair() }, sealed)).toBeUndefined();
    expect(openPairingRequest(channel, { ...sealed, iv: Buffer.of(1) })).toBeUndefined();
  });
});
