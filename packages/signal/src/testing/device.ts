import { Curve, generateSignalPubKey, signedKeyPair } from 'baileys';
import { ProtocolAddress, SessionBuilder, SessionCipher, SessionRecord, type SignalStorage } from 'libsignal';

const PREKEY_MESSAGE = 3;

interface Written {
  readonly type: number;
  readonly bytes: Buffer;
}

/** A device with the library's own cipher: its keys in memory, its sessions as text by the address of the peer. */
export function createDevice() {
  const identity = Curve.generateKeyPair();
  const signed = signedKeyPair(identity, 1);
  const records = new Map<string, string>();
  const pair = (keys: { private: Uint8Array; public: Uint8Array }) => ({
    privKey: Buffer.from(keys.private),
    pubKey: Buffer.from(generateSignalPubKey(keys.public)),
  });
  const storage: SignalStorage = {
    async loadSession(id) {
      const record = records.get(id);
      return record === undefined ? undefined : SessionRecord.deserialize(JSON.parse(record));
    },
    async storeSession(id, record) {
      records.set(id, JSON.stringify(record.serialize()));
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
    records,
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
    async write(peer: string, text: string): Promise<Written> {
      const { type, body } = await new SessionCipher(storage, addressOf(peer)).encrypt(Buffer.from(text));
      return { type, bytes: Buffer.from(body, 'binary') };
    },
    async read(peer: string, { type, bytes }: Written): Promise<string> {
      const cipher = new SessionCipher(storage, addressOf(peer));
      const plain =
        type === PREKEY_MESSAGE
          ? await cipher.decryptPreKeyWhisperMessage(bytes)
          : await cipher.decryptWhisperMessage(bytes);
      return plain.toString();
    },
  };
}
