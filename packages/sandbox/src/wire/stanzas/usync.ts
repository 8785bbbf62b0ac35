import { proto } from 'baileys';
import type { Phone } from '../../world/index.ts';
import { lidJid, shownNumber, userJid, WorldError } from '../../world/index.ts';
import type { Network, Session } from '../network.ts';
import { child, children, type Node, node, textOf } from '../transport/nodes.ts';
import type { IqHandler } from './iq.ts';

/** Answers one protocol of a query for one person; undefined omits it. */
type Protocol = (phone: Phone, asked: Asked) => Node | undefined;

interface Asked {
  jid: string;
  by: Session;
  /** The number as written, where the person was looked for by it. */
  number?: string | undefined;
}

/** The form in which some clients ask for a number. */
const LEGACY_NUMBER = /^\+?(?<phone>\d{5,20})@c\.us$/;

/** `usync`: the network's directory of people, by number, address or username. */
export function createUsyncHandler({ world, deviceLists }: Network): IqHandler {
  const protocols: Readonly<Record<string, Protocol>> = {
    devices: ({ phone, addressing }, { jid }) => {
      const isHidden =
        addressing === 'lid' && !jid.endsWith('@lid') && world.standing.rules().hideDevicesOfNumbers;
      const devices = isHidden ? [] : world.phones.deviceNumbers(phone);
      return node('devices', {}, [
        node(
          'device-list',
          {},
          devices.map((id) => node('device', { id, 'key-index': id === 0 ? undefined : id })),
        ),
        ...(devices.length > 0 ? [deviceLists.signed(phone)] : []),
      ]);
    },
    // a query by LID must not get the LID as an answer to the number
    lid: ({ lid }, { jid }) => (jid.endsWith('@lid') ? undefined : node('lid', { val: lidJid(lid) })),
    contact: (_phone, { number }) => contactNode('in', number),
    status: ({ phone, about, createdAt }, { by }) =>
      world.privacy.lets(phone, 'status', by.device.phone)
        ? node('status', { t: Math.floor(createdAt / 1000) }, Buffer.from(about))
        : node('status', { code: 401, type: 'fail' }),
    disappearing_mode: () => node('disappearing_mode', { duration: 0, t: 0 }),
    username: ({ username }) =>
      username === undefined ? undefined : node('username', {}, Buffer.from(username)),
    picture: ({ phone }, { by }) => node('picture', { id: pictureId(by.device.phone, userJid(phone)) }),
    business: ({ businessName }) =>
      businessName === undefined ? undefined : node('business', {}, [verifiedName(businessName)]),
  };

  const pictureId = (viewer: string, target: string): string | undefined => {
    try {
      return world.photos.get(viewer, target, 'image').id;
    } catch (error) {
      if (error instanceof WorldError) return undefined;
      throw error;
    }
  };

  const partsOf = (phone: Phone, wanted: readonly string[], asked: Asked): Node[] =>
    wanted.flatMap((name) => protocols[name]?.(phone, asked) ?? []);

  /** A person whose username needs a key has no address for those without the key. */
  const answerForName = (contact: Node, wanted: readonly string[], by: Session): Node => {
    const { username = '', pin } = contact.attrs;
    const phone = world.phones.findByUsername(username);
    if (!phone) return node('user', {}, [node('contact', { type: 'out', username })]);
    const jid = lidJid(phone.lid);
    const isOpen = phone.usernameKey === undefined || phone.usernameKey === pin;
    if (!isOpen) return node('user', {}, [node('contact', { type: 'in', username })]);
    return node('user', { jid, pn_jid: shownNumber(phone) }, partsOf(phone, wanted, { jid, by }));
  };

  const answerFor = (
    user: Node,
    wanted: readonly string[],
    by: Session,
    lidsFirst: boolean,
  ): Node | undefined => {
    const contact = child(user, 'contact');
    if (contact?.attrs.username) return answerForName(contact, wanted, by);
    const number = textOf(contact);
    const legacy = LEGACY_NUMBER.exec(user.attrs.jid ?? '')?.groups?.phone;
    const asked = legacy ?? user.attrs.jid ?? number;
    if (!asked) return undefined;
    const address = legacy === undefined ? user.attrs.jid : undefined;
    const digits = asked.replace(/\D/g, '');
    const phone = address ? world.phones.find(address) : world.phones.findByNumber(digits);
    const jid = address || userJid(phone?.phone ?? digits);
    if (!phone) return node('user', { jid }, [contactNode('out', number)]);
    const parts = partsOf(phone, wanted, { jid, by, number });
    if (!lidsFirst) return node('user', { jid }, parts);
    return node('user', { jid: lidJid(phone.lid), pn_jid: shownNumber(phone) }, parts);
  };

  return (session, request) => {
    const usync = child(request, 'usync');
    const wanted = children(child(usync, 'query')).map(({ tag }) => tag);
    const users = children(child(usync, 'list'), 'user');
    const lidsFirst = usync?.attrs.addressing_mode === 'lid';
    const list = users.flatMap((user) => answerFor(user, wanted, session, lidsFirst) ?? []);
    return [node('usync', { ...usync?.attrs }, [node('list', {}, list)])];
  };
}

/** Repeats the number as written: the address beside it is that of the account. */
function contactNode(type: 'in' | 'out', number: string | undefined): Node {
  return node('contact', { type }, number ? Buffer.from(number) : undefined);
}

/** The verified name of a business. */
export function verifiedName(name: string): Node {
  const details = proto.VerifiedNameCertificate.Details.encode({
    verifiedName: name,
    issuer: 'smb:wa',
    serial: 1,
  }).finish();
  return node('verified_name', { v: 1 }, proto.VerifiedNameCertificate.encode({ details }).finish());
}
