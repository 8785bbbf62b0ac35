import { lidJid } from '../../world/index.ts';
import { Refusal } from '../errors.ts';
import type { Network } from '../network.ts';
import { child, node } from '../transport/nodes.ts';
import type { IqHandler } from './iq.ts';

const LINK_CODES = 'contact.links';
const CODE_BYTES = 10;

/** `w:qr`: the code by which others find an account without its number. */
export function createContactLinkHandler({ world, random }: Network): IqHandler {
  const { vault } = world;
  const make = (phone: string): string => {
    const code = Buffer.from(random.bytes(CODE_BYTES)).toString('base64url').toUpperCase();
    vault.write(LINK_CODES, phone, Buffer.from(code));
    return code;
  };
  const codeOf = (phone: string): string => {
    const kept = vault.read(LINK_CODES, phone);
    return kept ? Buffer.from(kept).toString() : make(phone);
  };
  const ownerOf = (code: string | undefined): string | undefined =>
    vault.entries(LINK_CODES).find(({ value }) => Buffer.from(value).toString() === code)?.key;

  return ({ device }, request) => {
    const asked = child(request, 'qr');
    if (!asked) throw new Refusal(400, 'bad-request');
    if (request.attrs.type === 'set') {
      const isRevoked = asked.attrs.action === 'revoke';
      return [node('qr', { type: 'contact', code: isRevoked ? make(device.phone) : codeOf(device.phone) })];
    }
    const owner = ownerOf(asked.attrs.code);
    if (owner === undefined) throw new Refusal(404, 'item-not-found');
    const { lid, name } = world.phones.get(owner);
    return [node('qr', { type: 'contact', jid: lidJid(lid), notify: name })];
  };
}

/** `bot`: this network has none. */
export const listBots: IqHandler = () => [node('bot', { v: 2 }, [node('section', { type: 'all' }, [])])];

/** `urn:xmpp:whatsapp:push`: a client of this network gets no push messages, and may register for them. */
export const registerForPush: IqHandler = (_session, request) =>
  request.attrs.type === 'get' ? [node('settings')] : [];

/** `tos`: every notice that a client asks about is accepted. */
export const acceptTerms: IqHandler = (_session, request) => {
  if (request.attrs.type !== 'get') return [];
  const asked = child(request, 'request');
  const notices = Array.isArray(asked?.content) ? asked.content : [];
  return [
    node(
      'tos',
      {},
      notices.flatMap(({ tag, attrs: { id } }) =>
        tag === 'notice' && id ? node('notice', { id, state: 'true' }) : [],
      ),
    ),
  ];
};
