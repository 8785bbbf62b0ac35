import type { SenderKeyStore } from 'baileys/lib/Signal/Group/group_cipher.js';
import {
  GroupCipher,
  SenderKeyMessage,
  type SenderKeyName,
  SenderKeyRecord,
} from 'baileys/lib/Signal/Group/index.js';
import type { SenderKeyStateStructure } from 'baileys/lib/Signal/Group/sender-key-record.js';

/** The library's cipher of one group and author, with its private members. */
interface Cipher {
  readonly senderKeyStore: SenderKeyStore;
  readonly senderKeyName: SenderKeyName;
  getCipherText(iv: Uint8Array, key: Uint8Array, plaintext: Uint8Array): Promise<Uint8Array>;
}

/**
 * The library takes two steps of its own sender key for each message to a group and stores the skipped key, up to 2,000 of them,
 * in a record that is read and written whole for every message; recipients store as many. These keys are never used. Here each
 * message takes one step, as on a phone, and none is stored.
 */
export function stepSenderKeysOnce(): void {
  Object.assign(GroupCipher.prototype, { encrypt });
}

async function encrypt(this: Cipher, padded: Uint8Array): Promise<Uint8Array> {
  const record = await this.senderKeyStore.loadSenderKey(this.senderKeyName);
  const state = record.getSenderKeyState();
  if (!state) throw new Error('No session to encrypt message');
  const chain = state.getSenderChainKey();
  const key = chain.getSenderMessageKey();
  state.setSenderChainKey(chain.getNext());
  state.getStructure().senderMessageKeys.length = 0;
  const sealed = await this.getCipherText(key.getIv(), key.getCipherKey(), padded);
  const message = new SenderKeyMessage(
    state.getKeyId(),
    key.getIteration(),
    sealed,
    state.getSigningKeyPrivate(),
  );
  await this.senderKeyStore.storeSenderKey(this.senderKeyName, record);
  return message.serialize();
}

/**
 * The library examines every number of a stored record for its owner, and does not recognise the bytes of keys stored for late
 * messages, so that these cannot be decrypted. Here the record is decoded by its known structure.
 */
export function decodeRecordsByStructure(): void {
  SenderKeyRecord.deserialize = (data) => {
    const states: SenderKeyStateStructure[] = JSON.parse(Buffer.from(data).toString());
    return new SenderKeyRecord(states.map(withBytes));
  };
}

function withBytes({
  senderChainKey,
  senderSigningKey,
  senderMessageKeys,
  ...rest
}: SenderKeyStateStructure) {
  return {
    ...rest,
    senderChainKey: { ...senderChainKey, seed: bytesOf(senderChainKey.seed) },
    senderSigningKey: {
      public: bytesOf(senderSigningKey.public),
      private: bytesOf(senderSigningKey.private ?? []),
    },
    senderMessageKeys: senderMessageKeys.map((key) => ({ ...key, seed: bytesOf(key.seed) })),
  };
}

/** A buffer in JSON, in one of the three forms of the library's versions. */
type WrittenBytes =
  | { readonly type: 'Buffer'; readonly data: string | readonly number[] }
  | ArrayLike<number>;

function bytesOf(written: WrittenBytes): Buffer {
  if (!('data' in written)) return Buffer.from(Array.isArray(written) ? written : Object.values(written));
  return typeof written.data === 'string' ? Buffer.from(written.data, 'base64') : Buffer.from(written.data);
}
