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
import type { Actor, PhoneNumber } from '../../world/index.ts';
import { fromBytes, toBytes } from '../json-bytes.ts';
import type { Drawer } from './drawer.ts';

/**
 * The sender key of one device in one shared chat, as all phones that got it know it. It is kept once; which phone holds which key, and
 * from which message on, is noted beside it: a phone without the key reads nothing, and one with it need not compute what the others did.
 */
export interface SenderChain {
  learn(phone: PhoneNumber, distribution: Uint8Array): Promise<void>;
  /** Tells of each phone whether it has the key to this ciphertext. */
  holdersOf(ciphertext: Uint8Array): (phone: PhoneNumber) => boolean;
  /** Every ciphertext can be opened once. */
  open(ciphertext: Uint8Array): Promise<Buffer>;
}

/** The ids of the keys that a phone holds, each with the first message that it opens; the oldest first. */
type Held = [id: number, from: number][];

const CHAINS = 'signal.sender-chains';
const MOST_KEYS = 5;

export const chainName = (group: string, { phone, device }: Actor): string => `${group}/${phone}:${device}`;

/** Whoever erases a phone's entry here takes the key away from it. */
export const holdersScope = (group: string, author: Actor): string =>
  `signal.sender-chain-holders.${chainName(group, author)}`;

export function openSenderChain(drawer: Drawer, group: string, author: Actor): SenderChain {
  const key = chainName(group, author);
  const holders = holdersScope(group, author);
  const name = new SenderKeyName(group, new ProtocolAddress(author.phone, author.device));
  const store = {
    async loadSenderKey() {
      const kept = drawer.read(CHAINS, key);
      return kept ? SenderKeyRecord.deserialize(kept) : new SenderKeyRecord();
    },
    async storeSenderKey(_name: SenderKeyName, record: SenderKeyRecord) {
      drawer.write(CHAINS, key, Buffer.from(JSON.stringify(record.serialize())));
    },
  };

  const heldBy = (phone: PhoneNumber): Held => {
    const kept = drawer.read(holders, phone);
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
      drawer.write(holders, phone, toBytes([...others, [id, Math.min(known, message.getIteration())]]));
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
