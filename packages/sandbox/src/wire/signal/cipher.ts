import { createKeyedQueue } from '@parley/contract/plain';
import { generateSignalPubKey } from 'baileys';
import {
  GroupCipher,
  GroupSessionBuilder,
  SenderKeyName,
  SenderKeyRecord,
} from 'baileys/lib/Signal/Group/index.js';
import { ProtocolAddress, SessionBuilder, SessionRecord, type SignalStorage } from 'libsignal';
import type { Actor, PhoneNumber, World } from '../../world/index.ts';
import { fromBytes, toBytes } from '../json-bytes.ts';
import type { PhoneKeyring } from './phone-keys.ts';
import { PhoneSessionCipher } from './ratchet.ts';
import { openSenderChain, type SenderChain } from './sender-chains.ts';
import { openVaultChanges, type VaultView } from './vault-changes.ts';

export type DirectType = 'pkmsg' | 'msg';

interface Encrypted {
  readonly type: DirectType;
  readonly bytes: Buffer;
}

export interface KeyBundle {
  readonly registrationId: number;
  readonly identityKey: Uint8Array;
  readonly signedPreKey: {
    readonly keyId: number;
    readonly publicKey: Uint8Array;
    readonly signature: Uint8Array;
  };
  readonly preKey: { readonly keyId: number; readonly publicKey: Uint8Array } | undefined;
}

/** The Signal side of one virtual phone, for one unit of work. */
export interface PhoneCipher {
  hasSession(peer: Actor): Promise<boolean>;
  openSession(peer: Actor, bundle: KeyBundle): Promise<void>;
  encrypt(peer: Actor, plaintext: Uint8Array): Promise<Encrypted>;
  decrypt(peer: Actor, type: DirectType, ciphertext: Uint8Array): Promise<Buffer>;
  /** Encrypts with this phone's own sender key; recipients need `distribution` to decrypt it. */
  encryptForGroup(group: string, plaintext: Uint8Array): Promise<{ bytes: Buffer; distribution: Buffer }>;
  distributeSenderKey(group: string): Promise<Buffer>;
  /** Runs in the transaction that stores the new ratchet states. */
  inSameTransaction(write: () => void): void;
}

/** The Signal side of several phones, for one unit of work. */
export interface CipherWork {
  as(phone: PhoneNumber): PhoneCipher;
  /** The phones' state of the sender key of a device. */
  chain(group: string, author: Actor): SenderChain;
  /** Runs in the transaction that stores the new ratchet states. */
  inSameTransaction(write: () => void): void;
}

export interface PhoneCiphers {
  /**
   * Runs `work` as the phone. Units of work of one phone run one after the other; their ratchet steps are stored together when
   * `work` resolves, or not at all.
   */
  as<T>(phone: PhoneNumber, work: (cipher: PhoneCipher) => Promise<T>): Promise<T>;
  /** The same for several phones and sender chains, by name, at once. */
  together<T>(names: readonly string[], work: (ciphers: CipherWork) => Promise<T>): Promise<T>;
}

const sessionScope = (handset: string): string => `signal.sessions.${handset}`;
const senderKeyScope = (handset: string): string => `signal.sender-keys.${handset}`;
const PREKEY_MESSAGE = 3;

export function createPhoneCiphers({
  world,
  keyring,
}: {
  world: Pick<World, 'vault' | 'handsets' | 'transaction'>;
  keyring: PhoneKeyring;
}): PhoneCiphers {
  const queued = createKeyedQueue();

  const together: PhoneCiphers['together'] = (names, work) => {
    const run = async () => {
      const vaultView = openVaultChanges(world.vault);
      const result = await work({
        as: (phone) => createPhoneCipher(phone, world.handsets.keyOf(phone), keyring, vaultView),
        chain: (group, author) => openSenderChain(vaultView, world.handsets, group, author),
        inSameTransaction: vaultView.inSameTransaction,
      });
      world.transaction(vaultView.close);
      return result;
    };
    // locks are always taken in the same order, so that no deadlock is possible
    const inOrder = [...new Set(names)].sort();
    return inOrder.reduceRight((inner, name) => () => queued(name, inner), run)();
  };

  return { together, as: (phone, work) => together([phone], (ciphers) => work(ciphers.as(phone))) };
}

function createPhoneCipher(
  phone: PhoneNumber,
  handset: string,
  keyring: PhoneKeyring,
  vaultView: VaultView,
): PhoneCipher {
  const keys = keyring.of(phone);

  const storage: SignalStorage = {
    async loadSession(id) {
      const kept = vaultView.read(sessionScope(handset), id);
      return kept && SessionRecord.deserialize(fromBytes<Uint8Array>(kept));
    },
    async storeSession(id, record) {
      vaultView.write(sessionScope(handset), id, toBytes(record.serialize()));
    },
    isTrustedIdentity: () => true,
    async loadPreKey(id) {
      const pair = id === undefined ? undefined : keyring.preKey(phone, Number(id));
      return pair && { privKey: Buffer.from(pair.private), pubKey: Buffer.from(pair.public) };
    },
    removePreKey(id) {
      vaultView.inSameTransaction(() => keyring.consumePreKey(phone, id));
    },
    // The published type omits the id.
    loadSignedPreKey(id = keys.signedPreKey.keyId) {
      const pair = keyring.signedPreKey(phone, id);
      if (!pair) throw new Error('the phone has no such signed key');
      return { privKey: Buffer.from(pair.private), pubKey: Buffer.from(pair.public) };
    },
    getOurRegistrationId: () => keys.registrationId,
    getOurIdentity: () => ({
      privKey: Buffer.from(keys.identity.private),
      pubKey: Buffer.from(generateSignalPubKey(keys.identity.public)),
    }),
  };

  const senderKeys = {
    async loadSenderKey(name: SenderKeyName) {
      const kept = vaultView.read(senderKeyScope(handset), name.toString());
      return kept ? SenderKeyRecord.deserialize(kept) : new SenderKeyRecord();
    },
    async storeSenderKey(name: SenderKeyName, record: SenderKeyRecord) {
      vaultView.write(
        senderKeyScope(handset),
        name.toString(),
        Buffer.from(JSON.stringify(record.serialize())),
      );
    },
  };

  const cipherFor = (peer: Actor): PhoneSessionCipher =>
    new PhoneSessionCipher(storage, addressOf(phone, peer));
  const ownName = (group: string): SenderKeyName =>
    new SenderKeyName(group, addressOf(phone, { phone, device: 0 }));
  const distributeSenderKey = async (group: string): Promise<Buffer> =>
    Buffer.from((await new GroupSessionBuilder(senderKeys).create(ownName(group))).serialize());

  return {
    async hasSession(peer) {
      const record = await storage.loadSession(addressOf(phone, peer).toString());
      return record?.haveOpenSession() ?? false;
    },

    async openSession(peer, bundle) {
      const builder: BundleTaker = new SessionBuilder(storage, addressOf(phone, peer));
      await builder.initOutgoing(withTypedKeys(bundle));
    },

    async encrypt(peer, plaintext) {
      const { type, body } = await cipherFor(peer).encrypt(Buffer.from(plaintext));
      return { type: type === PREKEY_MESSAGE ? 'pkmsg' : 'msg', bytes: Buffer.from(body, 'binary') };
    },

    decrypt(peer, type, ciphertext) {
      const cipher = cipherFor(peer);
      const bytes = Buffer.from(ciphertext);
      return type === 'pkmsg'
        ? cipher.decryptPreKeyWhisperMessage(bytes)
        : cipher.decryptWhisperMessage(bytes);
    },

    distributeSenderKey,

    async encryptForGroup(group, plaintext) {
      const distribution = await distributeSenderKey(group);
      const bytes = await new GroupCipher(senderKeys, ownName(group)).encrypt(plaintext);
      return { bytes: Buffer.from(bytes), distribution };
    },

    inSameTransaction: vaultView.inSameTransaction,
  };
}

/** Contains both ends: libsignal queues work by address for the whole process, and other phones must not wait. */
function addressOf(phone: PhoneNumber, peer: Actor): ProtocolAddress {
  return new ProtocolAddress(`${phone}-${peer.phone}`, peer.device);
}

/** libsignal's types require a one-time key; its code does not. */
interface BundleTaker {
  initOutgoing(bundle: KeyBundle): Promise<void>;
}

function withTypedKeys({ registrationId, identityKey, signedPreKey, preKey }: KeyBundle): KeyBundle {
  return {
    registrationId,
    identityKey: prefixed(identityKey),
    signedPreKey: { ...signedPreKey, publicKey: prefixed(signedPreKey.publicKey) },
    preKey: preKey && { keyId: preKey.keyId, publicKey: prefixed(preKey.publicKey) },
  };
}

function prefixed(publicKey: Uint8Array): Buffer {
  return Buffer.from(generateSignalPubKey(publicKey));
}
