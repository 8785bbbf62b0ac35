import type { proto } from 'baileys';
import type { LinkedDevice, PhoneNumber } from '../../world/index.ts';
import { createBoundedMap } from '../bounded-map.ts';
import type { Network } from '../network.ts';
import { type Node, node } from '../transport/nodes.ts';
import type { KeyBundle, PhoneCipher } from './cipher.ts';
import { encodePadded } from './padding.ts';

/** How a virtual phone writes to linked devices: its own and those of others. */
export interface Sealer {
  /** One `enc` for one device. */
  seal(cipher: PhoneCipher, to: LinkedDevice, message: proto.IMessage): Promise<Node>;
  /** The `enc`s for a member of a group: the sender key first when the device does not have it yet. */
  sealForGroup(order: GroupSealing): Promise<Node[]>;
  /** The author's sender key as it stands now, for a device that lacks it. */
  senderKey(cipher: PhoneCipher, group: string): Promise<proto.Message.ISenderKeyDistributionMessage>;
  /** Starts over with a device that could not read: `bundle` as it sent it, else as the network has it. */
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
const knowsSenderKey = (author: PhoneNumber): string => `signal.sender-key-holders.${author}`;

export function createSealer({ world, random, companions }: Network): Sealer {
  /** A group message is encrypted once and fanned out; late devices get a fresh copy. */
  const recent = createBoundedMap<string, Promise<{ bytes: Buffer; distribution: Buffer }>>(
    RECENT_GROUP_MESSAGES,
  );

  const groupCiphertext = ({ cipher, author, group, messageId, message }: GroupSealing) => {
    const key = `${author}/${group}/${messageId}`;
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
      if (world.vault.read(knowsSenderKey(author), holder)) return [content];
      const key = await seal(cipher, to, {
        senderKeyDistributionMessage: { groupId: group, axolotlSenderKeyDistributionMessage: distribution },
      });
      cipher.alongside(() => world.vault.write(knowsSenderKey(author), holder, Buffer.of(1)));
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
