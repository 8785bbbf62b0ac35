import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Curve, proto } from 'baileys';
import { describe, expect, test } from 'vitest';
import { codeToCompare, openPairingRequest, opensCommitment, provesHandoff } from './phone-maths.ts';

/** Made without any code of this repository; the gateway's half is held against the same. */
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

  test('believes the proof of the screen before it, and no other', () => {
    expect(provesHandoff(bytes('advSecret'), bytes('payload'), bytes('proof'))).toBe(true);
    expect(provesHandoff(bytes('rotatedSecret'), bytes('payload'), bytes('proof'))).toBe(false);
    expect(provesHandoff(bytes('advSecret'), bytes('payload'), bytes('iv'))).toBe(false);
  });

  test('holds the client to its commitment', () => {
    const hash = commitment?.hash ?? Buffer.of();
    expect(opensCommitment(hash, identity ?? Buffer.of(), bytes('nonce'))).toBe(true);
    expect(opensCommitment(hash, identity ?? Buffer.of(), bytes('primaryNonce'))).toBe(false);
  });

  test('shows the code', () => {
    expect(codeToCompare(bytes('nonce'), ephemeral.public, bytes('primaryNonce'))).toBe(vector.code);
  });

  test('opens what was sealed for it, and nothing else', () => {
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
