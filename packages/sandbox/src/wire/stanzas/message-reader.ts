import { jidDecode, type proto } from 'baileys';
import type { Actor, PhoneNumber } from '../../world/index.ts';
import { Refusal } from '../errors.ts';
import type { Network, Session } from '../network.ts';
import type { DirectType, PhoneCipher } from '../signal/cipher.ts';
import { decodePadded } from '../signal/padding.ts';
import { bytesOf, child, children, type Node } from '../transport/nodes.ts';

/** What a client sent, opened by the phones it was meant for. */
interface Opened {
  readonly message: proto.IMessage;
  /** Everybody the client wrote to, besides its own phone. */
  readonly audience: readonly PhoneNumber[];
  /** When it came for the first time, where it could not be read then. */
  readonly at?: number;
}

export interface MessageReader {
  /** Undefined when a phone could not read it and has asked for it again. */
  open(session: Session, stanza: Node): Promise<Opened | undefined>;
}

interface Copy {
  readonly phone: PhoneNumber;
  readonly type: DirectType;
  readonly bytes: Buffer;
}

export function createMessageReader({ world, ciphers, log }: Network): MessageReader {
  /** The copies for phones. What a client wrote for other linked devices is not needed: their phones tell them. */
  const copiesIn = (stanza: Node): Copy[] =>
    children(child(stanza, 'participants'), 'to').flatMap(
      (to) => copyFor(to.attrs.jid, child(to, 'enc')) ?? [],
    );

  const copyFor = (jid: string | undefined, enc: Node | undefined): Copy | undefined => {
    const type = enc?.attrs.type;
    const bytes = bytesOf(enc);
    if (!jid || (type !== 'pkmsg' && type !== 'msg') || !bytes) return undefined;
    const phone = (jidDecode(jid)?.device ?? 0) === 0 ? world.phones.find(jid)?.phone : undefined;
    return phone === undefined ? undefined : { phone, type, bytes };
  };

  const openCopy = ({ phone, type, bytes }: Copy, sender: Actor): Promise<proto.IMessage | undefined> =>
    attempt(phone, async (cipher) => {
      const message = decodePadded(await cipher.decrypt(sender, type, bytes));
      const shared = message.senderKeyDistributionMessage;
      if (shared?.groupId && shared.axolotlSenderKeyDistributionMessage) {
        await cipher.learnSenderKey(shared.groupId, sender, shared.axolotlSenderKeyDistributionMessage);
      }
      return message.deviceSentMessage?.message ?? message;
    });

  const attempt = async <T>(
    phone: PhoneNumber,
    work: (cipher: PhoneCipher) => Promise<T>,
  ): Promise<T | undefined> => {
    try {
      return await ciphers.as(phone, work);
    } catch (error) {
      log.debug({ phone, error: error instanceof Error ? error.name : 'unknown' }, 'a phone could not read');
      return undefined;
    }
  };

  /** A copy of what the phone has already need not be read. */
  const askAgain = ({ device }: Session, { attrs: { id = '', to = '' } }: Node, phone: PhoneNumber): void => {
    if (!world.messages.find(phone, id)) world.awaited.ask(phone, device, { id, to });
  };

  const openDirect = async (session: Session, stanza: Node, copies: Copy[]): Promise<Opened | undefined> => {
    const recipient = world.phones.find(stanza.attrs.to ?? '');
    if (!recipient) throw new Refusal(404, 'nobody has this number');
    const opened = new Map<PhoneNumber, proto.IMessage | undefined>();
    for (const copy of copies) opened.set(copy.phone, await openCopy(copy, session.device));
    const wanted = opened.has(recipient.phone) ? recipient.phone : session.device.phone;
    const message = opened.get(wanted);
    if (message) return { message, audience: [recipient.phone] };
    if (copies.length === 0) throw new Refusal(400, 'message for nobody');
    askAgain(session, stanza, wanted);
    return undefined;
  };

  const openGroup = async (session: Session, stanza: Node, copies: Copy[]): Promise<Opened | undefined> => {
    const { phone } = session.device;
    const bytes = bytesOf(children(stanza, 'enc').find(({ attrs }) => attrs.type === 'skmsg'));
    if (!bytes) throw new Refusal(400, 'message for nobody');
    for (const copy of copies) await openCopy(copy, session.device);
    // the own phone is in every group, but not in the audience of a story
    for (const reader of new Set([phone, ...copies.map((copy) => copy.phone)])) {
      const message = await attempt(reader, async (cipher) =>
        decodePadded(await cipher.decryptFromGroup(stanza.attrs.to ?? '', session.device, bytes)),
      );
      if (message) return { message, audience: audienceOf(stanza, phone) };
    }
    askAgain(session, stanza, phone);
    return undefined;
  };

  const audienceOf = (stanza: Node, own: PhoneNumber): PhoneNumber[] => {
    const all = children(child(stanza, 'participants'), 'to').flatMap(
      ({ attrs }) => world.phones.find(attrs.jid ?? '')?.phone ?? [],
    );
    return [...new Set(all)].filter((phone) => phone !== own);
  };

  return {
    async open(session, stanza) {
      const { to = '', category } = stanza.attrs;
      if (category === 'peer') {
        const copy = copyFor(`${session.device.phone}@s.whatsapp.net`, child(stanza, 'enc'));
        const message = copy && (await openCopy(copy, session.device));
        return message && { message, audience: [] };
      }
      const isShared = to.endsWith('@g.us') || to.endsWith('@broadcast');
      const open = isShared ? openGroup : openDirect;
      const opened = await open(session, stanza, copiesIn(stanza));
      const at = opened && world.awaited.came(session.device, stanza.attrs.id ?? '');
      return opened && { ...opened, ...(at !== undefined && { at }) };
    },
  };
}
