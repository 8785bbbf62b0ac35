import { createCipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { Curve, proto } from 'baileys';
import { describe, expect, it } from 'vitest';
import { createSoftAuthenticator } from '../../../authenticator.ts';
import { ada, createTestWorld } from '../../../world/fixture.ts';
import type { PasskeyRequest } from '../../../world/index.ts';
import { childBytes, type Node, node } from '../../transport/nodes.ts';
import { startCeremony } from './ceremony.ts';

const CHROME = 1;
const MINUTE = 60_000;

/** A client that can send wrong data at each step. */
async function client() {
  const world = createTestWorld();
  const browser = createSoftAuthenticator({ origin: 'http://localhost:8080' });
  await world.passkeys.keep(ada, browser.create(world.passkeys.creation(ada)));
  const [shown, rotated] = [randomBytes(32), randomBytes(32)];
  const [noiseKey, identityKey] = [randomBytes(32), randomBytes(32)];
  const received: Node[] = [];
  const ceremony = startCeremony({
    passkeys: world.passkeys,
    clock: world.clock,
    random: { bytes: randomBytes },
    phone: ada,
    client: { noiseKey, identityKey, deviceType: CHROME },
    secret: shown,
    send: (stanza) => received.push(stanza),
  });
  const [ephemeral, nonce] = [Curve.generateKeyPair(), randomBytes(32)];

  const say = async (content: Node): Promise<Node | undefined> => {
    const answer = await ceremony.answer(node('iq', { xmlns: 'md' }, [content]));
    answer?.onSent?.();
    return answer?.content?.[0];
  };
  const question = (): PasskeyRequest =>
    JSON.parse(childBytes(received.at(-1), 'passkey_request_options')?.toString() ?? '{}');
  const ref = async (): Promise<string> => String((await say(node('ref')))?.content ?? '');

  const prologue = async (
    lies: { ref?: string; deviceType?: number; proof?: Buffer; credentialId?: string } = {},
  ) => {
    const identity = proto.CompanionEphemeralIdentity.encode({
      publicKey: ephemeral.public,
      deviceType: lies.deviceType ?? CHROME,
      ref: lies.ref ?? (await ref()),
    }).finish();
    const hash = createHash('sha256').update(identity).update(nonce).digest();
    const payload = proto.ProloguePayload.encode({
      companionEphemeralIdentity: identity,
      commitment: { hash },
    }).finish();
    const key = Buffer.from(hkdfSync('sha256', shown, '', 'shortcake-passkey-handoff-v1', 32));
    const assertion = browser.get(question());
    return node('passkey_prologue', {}, [
      node('credential_id', {}, Buffer.from(lies.credentialId ?? assertion.rawId, 'base64url')),
      node('webauthn_assertion', {}, Buffer.from(JSON.stringify(assertion))),
      node('prologue_payload', {}, payload),
      node('pairing_handoff_proof', {}, lies.proof ?? createHmac('sha256', key).update(payload).digest()),
    ]);
  };
  const withoutProof = ({ tag, content }: Node): Node =>
    node(tag, {}, Array.isArray(content) ? content.slice(0, 3) : content);

  const request = async (
    lies: { noiseKey?: Buffer; advSecret?: Buffer; ref?: string } = {},
  ): Promise<Node> => {
    const primary = proto.PrimaryEphemeralIdentity.decode(
      childBytes(received.at(-1), 'primary_ephemeral_identity') ?? Buffer.of(),
    );
    const shared = Curve.sharedKey(ephemeral.private, primary.publicKey ?? Buffer.of());
    const salt = `Companion Pairing ${CHROME} with ref ${lies.ref ?? (await ref())}`;
    const key = Buffer.from(hkdfSync('sha256', shared, salt, 'Pairing Information Encryption Key', 32));
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, iv);
    const plain = proto.PairingRequest.encode({
      companionPublicKey: lies.noiseKey ?? noiseKey,
      companionIdentityKey: identityKey,
      advSecret: lies.advSecret ?? rotated,
    }).finish();
    const encryptedPayload = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    const sealed = proto.EncryptedPairingRequest.encode({ encryptedPayload, iv }).finish();
    return node('encrypted_pairing_request', {}, sealed);
  };
  const reveal = (value = nonce): Node => node('companion_nonce', {}, value);
  return { world, ceremony, received, say, prologue, withoutProof, request, reveal, nonce, rotated };
}

describe('a client that links a guarded phone', () => {
  it('gets a challenge and a continuation, and agrees when every step is valid', async () => {
    const { ceremony, received, say, prologue, request, reveal, rotated } = await client();
    await say(await prologue());
    expect(received.map(({ attrs }) => attrs.type)).toEqual([
      'passkey_prologue_request',
      'crsc_continuation',
    ]);
    await say(reveal());
    expect(ceremony.screen).toEqual({ stage: 'continue' });
    await say(await request());
    expect(await ceremony.agreed).toEqual(rotated);
    expect(ceremony.screen).toBeUndefined();
  });

  it('has the code on the phone compared when there is no proof', async () => {
    const { ceremony, say, prologue, withoutProof, reveal } = await client();
    await say(withoutProof(await prologue()));
    await say(reveal());
    expect(ceremony.screen).toEqual({ stage: 'compare', code: expect.stringMatching(/^[1-9A-Z]{8}$/) });
  });

  it.each([
    ['a ref that it was not given', { ref: '2@other' }],
    ['another kind of device than it registered as', { deviceType: 2 }],
    ['a wrong proof', { proof: Buffer.alloc(32) }],
    ['a proof that is none', { proof: Buffer.of(1) }],
    ['the id of another passkey', { credentialId: 'AAAA' }],
  ])('is refused with %s', async (_, lies) => {
    const { received, say, prologue } = await client();
    await expect(say(await prologue(lies))).rejects.toMatchObject({ code: 400 });
    expect(received).toHaveLength(1);
  });

  it('is refused with a proof that comes too late, and may continue without one', async () => {
    const { world, received, say, prologue, withoutProof } = await client();
    world.clock.advance(6 * MINUTE);
    const late = await prologue();
    await expect(say(late)).rejects.toMatchObject({ code: 400 });
    await say(withoutProof(late));
    expect(received).toHaveLength(2);
  });

  it('may use an assertion once', async () => {
    const { say, prologue } = await client();
    const first = await prologue();
    await say(first);
    await expect(say(first)).rejects.toMatchObject({ code: 400 });
  });

  it('must reveal the nonce that it committed to, at the right step', async () => {
    const { say, prologue, reveal, request } = await client();
    await expect(say(reveal())).rejects.toMatchObject({ code: 400 });
    await say(await prologue());
    await expect(say(await request())).rejects.toMatchObject({ code: 400 });
    await expect(say(reveal(randomBytes(32)))).rejects.toMatchObject({ code: 400 });
    await say(reveal());
  });

  it.each([
    ['for another device', { noiseKey: Buffer.alloc(32) }],
    ['with a secret that is too short', { advSecret: Buffer.alloc(16) }],
    ['sealed for another conversation', { ref: '2@other' }],
  ])('is refused with a request %s', async (_, lies) => {
    const { ceremony, say, prologue, reveal, request } = await client();
    await say(await prologue());
    await say(reveal());
    await expect(say(await request(lies))).rejects.toMatchObject({ code: 400 });
    expect(ceremony.screen).toBeDefined();
  });

  it('has ten minutes', async () => {
    const { world, ceremony, say, prologue } = await client();
    const ready = await prologue();
    world.clock.advance(10 * MINUTE);
    await expect(ceremony.agreed).rejects.toMatchObject({ code: 'gone' });
    await expect(say(ready)).rejects.toMatchObject({ code: 410 });
  });

  it('gets no answer to other queries here', async () => {
    const { ceremony } = await client();
    expect(ceremony.answer(node('iq', {}, [node('ping')]))).toBeUndefined();
  });
});
