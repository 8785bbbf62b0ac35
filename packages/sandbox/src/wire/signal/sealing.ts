import type { proto } from 'baileys';
import type { LinkedDevice, PhoneNumber } from '../../world/index.ts';
import { createBoundedMap } from '../bounded-map.ts';
import type { Network } from '../network.ts';
import { type Node, node } from '../transport/nodes.ts';
import type { KeyBundle, PhoneCipher } from './cipher.ts';
import { encodePadded } from './padding.ts';

/** Encrypts for linked devices, on behalf of a virtual phone: its own devices and those of others. */
export interface Sealer {
  /** One `enc` for one device. */
  seal(cipher: PhoneCipher, to: LinkedDevice, message: proto.IMessage): Promise<Node>;
  /** The `enc`s for a member of a group: the sender key first when the device does not have it yet. */
  sealForGroup(order: GroupSealing): Promise<Node[]>;
  /** The author's current sender key, for a device without it. */
  senderKey(cipher: PhoneCipher, group: string): Promise<proto.Message.ISenderKeyDistributionMessage>;
  /** Opens a new session with a device that could not decrypt: with its `bundle`, else with the keys on the server. */
  reopen(cipher: PhoneCipher, to: LinkedDevice, bundle: KeyBundle | undefined): Promise<void>;
}

interface GroupSealing {
  readonly cipher: PhoneCipher;
  readonly author: PhoneNumber;
  readonly group: string;
  readonly messageId: string;
  readonly to: LinkedDevice;
  readonly message: proto.IMessage;
}

const RECENT_GROUP_MESSAGES = 500;
const knowsSenderKey = (handset: string): string => `signal.sender-key-holders.${handset}`;

export function createSealer({ world, random, companions }: Network): Sealer {
  /** A group message is encrypted once and sent to all; a later device gets a fresh copy. */
  const recent = createBoundedMap<string, Promise<{ bytes: Buffer; distribution: Buffer }>>(
    RECENT_GROUP_MESSAGES,
  );

  const groupCiphertext = ({ cipher, author, group, messageId, message }: GroupSealing) => {
    const key = `${world.handsets.keyOf(author)}/${group}/${messageId}`;
    const known = recent.get(key);
    if (known) return known;
    const made = cipher.encryptForGroup(group, encodePadded(message, random)).catch((error: unknown) => {
      recent.delete(key);
      throw error;
    });
    recent.set(key, made);
    return made;
  };

  const bundleOf = (device: LinkedDevice): KeyBundle => {
    const companion = companions.read(device);
    return { ...companion, preKey: companions.takePreKey(device.sessionId) };
  };

  const seal = async (cipher: PhoneCipher, to: LinkedDevice, message: proto.IMessage): Promise<Node> => {
    if (!(await cipher.hasSession(to))) await cipher.openSession(to, bundleOf(to));
    const { type, bytes } = await cipher.encrypt(to, encodePadded(message, random));
    return node('enc', { v: 2, type }, bytes);
  };

  return {
    seal,

    async sealForGroup(order) {
      const { cipher, author, group, to } = order;
      const { bytes, distribution } = await groupCiphertext(order);
      const content = node('enc', { v: 2, type: 'skmsg' }, bytes);
      const holder = `${group}/${to.sessionId}`;
      const holders = knowsSenderKey(world.handsets.keyOf(author));
      if (world.vault.read(holders, holder)) return [content];
      const key = await seal(cipher, to, {
        senderKeyDistributionMessage: { groupId: group, axolotlSenderKeyDistributionMessage: distribution },
      });
      cipher.inSameTransaction(() => world.vault.write(holders, holder, Buffer.of(1)));
      return [key, content];
    },

    async senderKey(cipher, group) {
      return {
        groupId: group,
        axolotlSenderKeyDistributionMessage: await cipher.distributeSenderKey(group),
      };
    },

    async reopen(cipher, to, bundle) {
      await cipher.openSession(to, bundle ?? bundleOf(to));
    },
  };
}
