import { Curve, generateSignalPubKey, signedKeyPair } from 'baileys';
import { ProtocolAddress, SessionBuilder, SessionCipher, SessionRecord, type SignalStorage } from 'libsignal';
import { expect, test } from 'vitest';
import { installGuards } from './index.ts';

installGuards();

const PREKEY_MESSAGE = 3;

/** One end of a talk, with its keys and sessions in memory. */
function createEnd() {
  const identity = Curve.generateKeyPair();
  const signed = signedKeyPair(identity, 1);
  const records = new Map<string, Uint8Array>();
  const pair = (keys: { private: Uint8Array; public: Uint8Array }) => ({
    privKey: Buffer.from(keys.private),
    pubKey: Buffer.from(generateSignalPubKey(keys.public)),
  });
  const storage: SignalStorage = {
    async loadSession(id) {
      const record = records.get(id);
      return record && SessionRecord.deserialize(record);
    },
    async storeSession(id, record) {
      records.set(id, record.serialize());
    },
    isTrustedIdentity: () => true,
    loadPreKey: async () => undefined,
    removePreKey() {},
    loadSignedPreKey: () => ({ ...pair(signed.keyPair), pubKey: Buffer.from(signed.keyPair.public) }),
    getOurRegistrationId: () => 7,
    getOurIdentity: () => pair(identity),
  };
  const addressOf = (peer: string) => new ProtocolAddress(peer, 1);
  return {
    bundle: {
      registrationId: 7,
      identityKey: generateSignalPubKey(identity.public),
      signedPreKey: {
        keyId: 1,
        publicKey: generateSignalPubKey(signed.keyPair.public),
        signature: signed.signature,
      },
    },
    openSession: (peer: string, bundle: object) =>
      new SessionBuilder(storage, addressOf(peer)).initOutgoing(bundle as never),
    async write(peer: string, text: string) {
      const { type, body } = await new SessionCipher(storage, addressOf(peer)).encrypt(Buffer.from(text));
      return { type, bytes: Buffer.from(body, 'binary') };
    },
    async read(peer: string, { type, bytes }: { type: number; bytes: Buffer }) {
      const cipher = new SessionCipher(storage, addressOf(peer));
      const plain =
        type === PREKEY_MESSAGE
          ? await cipher.decryptPreKeyWhisperMessage(bytes)
          : await cipher.decryptWhisperMessage(bytes);
      return plain.toString();
    },
  };
}

test('a message for an older session leaves the newest one as it was', async () => {
  const here = createEnd();
  const there = createEnd();
  await there.openSession('here', here.bundle);
  expect(await here.read('there', await there.write('here', 'hello'))).toBe('hello');
  expect(await there.read('here', await here.write('there', 'hello yourself'))).toBe('hello yourself');

  // Here starts over, and there, who does not know yet, goes on in the session before.
  const late = await there.write('here', 'still in the old one');
  await here.openSession('there', there.bundle);
  expect(await here.read('there', late)).toBe('still in the old one');

  expect(await there.read('here', await here.write('there', 'in the new one'))).toBe('in the new one');
  expect(await here.read('there', await there.write('here', 'and back'))).toBe('and back');
});
