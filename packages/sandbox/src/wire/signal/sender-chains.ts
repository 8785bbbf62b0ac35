import { decoded } from '@parley/contract/plain';
import {
  GroupCipher,
  GroupSessionBuilder,
  SenderKeyDistributionMessage,
  SenderKeyMessage,
  SenderKeyName,
  SenderKeyRecord,
} from 'baileys/lib/Signal/Group/index.js';
import { ProtocolAddress } from 'libsignal';
import type { Actor, Handsets, PhoneNumber } from '../../world/index.ts';
import { fromBytes, toBytes } from '../json-bytes.ts';
import type { VaultView } from './vault-changes.ts';

/**
 * The sender key of one device in one shared chat, for all phones that have it. It is stored once, with a list of the phones that
 * hold each key and from which message on: a phone without the key decrypts nothing, and phones with it share one computation.
 */
export interface SenderChain {
  learn(phone: PhoneNumber, distribution: Uint8Array): Promise<void>;
  /** Tests for a phone whether it has the key to this ciphertext. */
  holdersOf(ciphertext: Uint8Array): (phone: PhoneNumber) => boolean;
  /** Every ciphertext can be decrypted once. */
  open(ciphertext: Uint8Array): Promise<Buffer>;
}

/** Ids of the keys that a phone holds, each with the first message that it opens; the oldest first. */
type Held = [id: number, from: number][];

const CHAINS = 'signal.sender-chains';
const MOST_KEYS = 5;

export const chainName = (group: string, { phone, device }: Actor): string => `${group}/${phone}:${device}`;

/** Deleting a phone's entry here takes the key away from it. */
export const holdersScope = (group: string, author: Actor): string =>
  `signal.sender-chain-holders.${chainName(group, author)}`;

export function openSenderChain(
  vaultView: VaultView,
  handsets: Pick<Handsets, 'keyOf'>,
  group: string,
  author: Actor,
): SenderChain {
  const key = chainName(group, author);
  const holders = holdersScope(group, author);
  const name = new SenderKeyName(group, new ProtocolAddress(author.phone, author.device));
  const store = {
    async loadSenderKey() {
      const kept = vaultView.read(CHAINS, key);
      return kept ? SenderKeyRecord.deserialize(kept) : new SenderKeyRecord();
    },
    async storeSenderKey(_name: SenderKeyName, record: SenderKeyRecord) {
      vaultView.write(CHAINS, key, Buffer.from(JSON.stringify(record.serialize())));
    },
  };

  const heldBy = (phone: PhoneNumber): Held => {
    const kept = vaultView.read(holders, handsets.keyOf(phone));
    return kept ? fromBytes<Held>(kept) : [];
  };

  return {
    async learn(phone, distribution) {
      const message = new SenderKeyDistributionMessage(null, null, null, null, distribution);
      const id = message.getId();
      const record = await store.loadSenderKey();
      if (!record.getSenderKeyState(id)) await new GroupSessionBuilder(store).process(name, message);
      const held = heldBy(phone);
      const known = held.find(([heldId]) => heldId === id)?.[1] ?? Number.POSITIVE_INFINITY;
      const others = held.filter(([heldId]) => heldId !== id).slice(1 - MOST_KEYS);
      vaultView.write(
        holders,
        handsets.keyOf(phone),
        toBytes([...others, [id, Math.min(known, message.getIteration())]]),
      );
    },

    holdersOf(ciphertext) {
      const header = headerOf(ciphertext);
      return (phone) => {
        if (!header) return false;
        return heldBy(phone).some(([id, from]) => id === header.getKeyId() && from <= header.getIteration());
      };
    },

    async open(ciphertext) {
      return Buffer.from(await new GroupCipher(store, name).decrypt(ciphertext));
    },
  };
}

function headerOf(ciphertext: Uint8Array): SenderKeyMessage | undefined {
  return decoded(() => new SenderKeyMessage(null, null, null, null, ciphertext));
}
