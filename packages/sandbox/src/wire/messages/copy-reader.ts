import type { proto } from 'baileys';
import type { CopyOutcome, LinkedDevice, PhoneNumber } from '../../world/index.ts';
import { readContent, secretIn } from '../content/index.ts';
import type { Network } from '../network.ts';
import { errorName } from '../ports.ts';
import type { CipherWork, DirectType } from '../signal/cipher.ts';
import { decodePadded } from '../signal/padding.ts';
import { chainName, type SenderChain } from '../signal/sender-chains.ts';
import type { ContentContexts } from '../stanzas/content-contexts.ts';
import { bytesOf, type Node } from '../transport/nodes.ts';
import type { Envelope } from './copies.ts';

/** Decrypts a message on the receiving phones, each with its own copy only. */
export interface CopyReader {
  /** State that the phones need: their own keys, and the author's sender key in a shared chat. */
  needs(sender: LinkedDevice, envelope: Envelope, readers: readonly PhoneNumber[]): readonly string[];
  read(
    work: CipherWork,
    sender: LinkedDevice,
    envelope: Envelope,
    readers: readonly PhoneNumber[],
  ): Promise<Map<PhoneNumber, CopyOutcome>>;
  /** A message of a device to its own phone; undefined when the phone cannot decrypt it. */
  readPeer(work: CipherWork, sender: LinkedDevice, envelope: Envelope): Promise<proto.IMessage | undefined>;
}

const HIDDEN = 'hide';

export function createCopyReader({ log }: Pick<Network, 'log'>, contexts: ContentContexts): CopyReader {
  const phoneOf = (phone: PhoneNumber) => ({ phone, device: 0 });

  const attempt = async <T>(phone: PhoneNumber, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      log.debug({ phone, error: errorName(error) }, 'decryption on a phone failed');
      return undefined;
    }
  };

  /** Decrypts the copy for this phone alone, and stores the sender key that may be inside. */
  const openOwn = async (
    work: CipherWork,
    sender: LinkedDevice,
    phone: PhoneNumber,
    enc: Node,
  ): Promise<proto.IMessage | undefined> => {
    const { type } = enc.attrs;
    const bytes = bytesOf(enc);
    if (!bytes || !isDirect(type)) return undefined;
    return attempt(phone, async () => {
      const message = decodePadded(await work.as(phone).decrypt(sender, type, bytes));
      const shared = message.senderKeyDistributionMessage;
      if (shared?.groupId && shared.axolotlSenderKeyDistributionMessage) {
        await work.chain(shared.groupId, sender).learn(phone, shared.axolotlSenderKeyDistributionMessage);
      }
      return message;
    });
  };

  /** Only the own devices send a phone copies of their outgoing messages. */
  const unwrapped = (
    sender: LinkedDevice,
    reader: PhoneNumber,
    message: proto.IMessage,
  ): proto.IMessage | undefined => {
    const sent = message.deviceSentMessage;
    if (!sent) return message;
    if (sender.phone !== reader || !sent.message) return undefined;
    // some clients put the secret of a poll beside the sent message, others into it
    return { messageContextInfo: message.messageContextInfo, ...sent.message };
  };

  return {
    needs(sender, { chat, isShared, copyFor }, readers) {
      const phones = readers.filter((phone) => copyFor(phoneOf(phone)));
      return isShared ? [...phones, chainName(chat, sender)] : phones;
    },

    async readPeer(work, sender, { copyFor }) {
      const copy = copyFor(phoneOf(sender.phone));
      const message = copy && (await openOwn(work, sender, sender.phone, copy));
      return message && unwrapped(sender, sender.phone, message);
    },

    async read(work, sender, envelope, readers) {
      const { chat, common, copyFor } = envelope;
      const readings = new Map<PhoneNumber, CopyOutcome>();
      const chain = common && work.chain(chat, sender);
      const opened = new Map<PhoneNumber, proto.IMessage | undefined>();
      for (const phone of readers) {
        const own = copyFor(phoneOf(phone));
        if (own) opened.set(phone, await openOwn(work, sender, phone, own));
      }
      const open = chain && common ? createCommon(chain, common, attempt) : undefined;
      const content = contexts.forReading(sender.phone);
      for (const phone of readers) {
        const own = copyFor(phoneOf(phone));
        if (!own && !common) {
          readings.set(phone, { kind: 'missing' });
          continue;
        }
        const message = open ? await open(phone) : opened.get(phone);
        if (!message) {
          readings.set(phone, {
            kind: 'unreadable',
            hidden: (common ?? own)?.attrs['decrypt-fail'] === HIDDEN,
          });
          continue;
        }
        const inner = unwrapped(sender, phone, message);
        const secret = inner && secretIn(inner);
        readings.set(phone, {
          kind: 'read',
          content: inner && readContent(inner, content.by(phone)),
          secret,
        });
      }
      return readings;
    },
  };
}

/** Decrypts the common ciphertext once, on the first phone with the key; other phones with the key share the result. */
function createCommon(
  chain: SenderChain,
  enc: Node,
  attempt: <T>(phone: PhoneNumber, work: () => Promise<T>) => Promise<T | undefined>,
) {
  const bytes = bytesOf(enc) ?? Buffer.alloc(0);
  const isHeldBy = chain.holdersOf(bytes);
  let opened: Promise<proto.IMessage | undefined> | undefined;
  return async (phone: PhoneNumber): Promise<proto.IMessage | undefined> => {
    if (!isHeldBy(phone)) return undefined;
    opened ??= attempt(phone, async () => decodePadded(await chain.open(bytes)));
    return opened;
  };
}

function isDirect(type: string | undefined): type is DirectType {
  return type === 'pkmsg' || type === 'msg';
}
