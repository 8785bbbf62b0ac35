import { proto } from 'baileys';
import type { Phone } from '../../world/index.ts';
import { lidJid, shownNumber, userJid, WorldError } from '../../world/index.ts';
import type { Network, Session } from '../network.ts';
import { child, children, type Node, node, textOf } from '../transport/nodes.ts';
import type { IqHandler } from './iq.ts';

/** Answers one protocol of a query for one person; undefined leaves it out. */
type Protocol = (phone: Phone, asked: { jid: string; by: Session }) => Node | undefined;

/** How some clients ask for a number. */
const LEGACY_NUMBER = /^\+?(?<phone>\d{5,20})@c\.us$/;

/** `usync`: what the network knows of people, by number, address or username. */
export function createUsyncHandler({ world }: Network): IqHandler {
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
      ]);
    },
    // somebody asked for by their alternate address must not be told that it is their number
    lid: ({ lid }, { jid }) => (jid.endsWith('@lid') ? undefined : node('lid', { val: lidJid(lid) })),
    contact: () => node('contact', { type: 'in' }),
    status: ({ about, createdAt }) => node('status', { t: Math.floor(createdAt / 1000) }, Buffer.from(about)),
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

  const partsOf = (phone: Phone, wanted: readonly string[], asked: { jid: string; by: Session }): Node[] =>
    wanted.flatMap((name) => protocols[name]?.(phone, asked) ?? []);

  /** Who guards the name with a key is somebody without an address to those who do not know it. */
  const answerForName = (contact: Node, wanted: readonly string[], by: Session): Node => {
    const { username = '', pin } = contact.attrs;
    const phone = world.phones.findByUsername(username);
    if (!phone) return node('user', {}, [node('contact', { type: 'out', username })]);
    const jid = lidJid(phone.lid);
    const isOpen = phone.usernameKey === undefined || phone.usernameKey === pin;
    if (!isOpen) return node('user', {}, [node('contact', { type: 'in', username })]);
    return node('user', { jid, pn_jid: shownNumber(phone) }, partsOf(phone, wanted, { jid, by }));
  };

  const answerFor = (user: Node, wanted: readonly string[], by: Session): Node | undefined => {
    const contact = child(user, 'contact');
    if (contact?.attrs.username) return answerForName(contact, wanted, by);
    const number = textOf(contact);
    const legacy = LEGACY_NUMBER.exec(user.attrs.jid ?? '')?.groups?.phone;
    const asked = legacy ?? user.attrs.jid ?? number;
    if (!asked) return undefined;
    const phone = world.phones.find(asked);
    const jid = (legacy === undefined && user.attrs.jid) || userJid(phone?.phone ?? asked.replace(/\D/g, ''));
    if (!phone) return node('user', { jid }, [node('contact', { type: 'out' })]);
    return node('user', { jid }, partsOf(phone, wanted, { jid, by }));
  };

  return (session, request) => {
    const usync = child(request, 'usync');
    const wanted = children(child(usync, 'query')).map(({ tag }) => tag);
    const users = children(child(usync, 'list'), 'user');
    const list = users.flatMap((user) => answerFor(user, wanted, session) ?? []);
    return [node('usync', { ...usync?.attrs }, [node('list', {}, list)])];
  };
}

/** How a business shows the name that the network has checked. */
export function verifiedName(name: string): Node {
  const details = proto.VerifiedNameCertificate.Details.encode({
    verifiedName: name,
    issuer: 'smb:wa',
    serial: 1,
  }).finish();
  return node('verified_name', { v: 1 }, proto.VerifiedNameCertificate.encode({ details }).finish());
}
