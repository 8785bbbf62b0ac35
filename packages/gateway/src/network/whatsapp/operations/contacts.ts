import { type BinaryNode, getBinaryNodeChild, type WASocket } from 'baileys';
import { buildTcTokenFromJid } from 'baileys/lib/Utils/tc-token-utils.js';
import type { Jid } from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import type { ContactOperations, Photo, UserInfo } from '../../operations.ts';
import { accountOf, isGroup, isMe } from '../convert/index.ts';
import {
  ABOUT,
  byJid,
  CONTACT,
  DEVICES,
  devicesOf,
  PICTURE,
  queryNetwork,
  queryUsers,
  textOf,
  VERIFIED_NAME,
  verifiedNameOf,
} from '../link/queries.ts';
import type { ContactBook } from '../receive/contact-book.ts';
import { personAt } from '../receive/people.ts';
import type { Addressing } from '../send/addressing.ts';
import { ask, type SessionContext } from '../session-context.ts';
import { createIdentities } from './identities.ts';
import type { NumberLookup } from './number-lookup.ts';
import { setPicture } from './pictures.ts';

export function createContactOperations(
  context: SessionContext,
  book: ContactBook,
  numbers: NumberLookup,
  addressing: Pick<Addressing, 'of'>,
): ContactOperations {
  async function blocklist(sock: WASocket): Promise<readonly Jid[]> {
    const blocked = await sock.fetchBlocklist();
    return Promise.all(blocked.map((address) => personAt(context.vault(), address)));
  }

  return {
    list: () => book.list(),
    info: (contact) => ask(context, (sock) => userInfo(sock, contact)),
    photo: (contact, size) => ask(context, (sock) => photo(context, sock, contact, size)),
    setAbout: (text) => ask(context, (sock) => sock.updateProfileStatus(text)),
    setOwnName: (name) => ask(context, (sock) => sock.updateProfileName(name)),
    setOwnPhoto: (image) => ask(context, (sock) => setPicture(sock, undefined, image)),
    blocklist: () => ask(context, blocklist),
    changeBlocklist: (contact, action) =>
      ask(context, async (sock) => {
        await sock.updateBlockStatus(contact, action);
        return blocklist(sock);
      }),
    ...createIdentities(context, numbers, addressing),
    lookUp: (wanted) => ask(context, (sock) => numbers.lookUp(sock, wanted)),
  };
}

function unknown(): NetworkError {
  return new NetworkError('not_found', 'The contact is not registered on the network.');
}

async function userInfo(sock: WASocket, contact: Jid): Promise<UserInfo> {
  const wanted = [CONTACT, ABOUT, PICTURE, DEVICES, VERIFIED_NAME];
  const [user] = await queryUsers(sock, wanted, [byJid(contact)]);
  const devices = user && devicesOf(user);
  if (!user || !devices) throw unknown();
  const verifiedName = verifiedNameOf(user);
  return {
    about: textOf(getBinaryNodeChild(user.node, 'status')) ?? '',
    pictureId: getBinaryNodeChild(user.node, 'picture')?.attrs.id ?? '',
    ...(verifiedName ? { verifiedName } : {}),
    devices: devices.map(({ attrs }) => ({
      jid: accountOf(contact),
      device: Number(attrs.id),
    })),
  };
}

/** The library answers only the address of a photo. */
async function photo(
  context: SessionContext,
  sock: WASocket,
  contact: Jid,
  size: 'preview' | 'full',
): Promise<Photo> {
  const type = size === 'full' ? 'image' : 'preview';
  const token = isGroup(contact) || isMe(contact, context.me()) ? undefined : await trustToken(sock, contact);
  const answer = await queryNetwork(sock, { type: 'get', xmlns: 'w:profile:picture', target: contact }, [
    { tag: 'picture', attrs: { type, query: 'url' }, ...(token?.length ? { content: token } : {}) },
  ]);
  const picture = getBinaryNodeChild(answer, 'picture');
  if (!picture?.attrs.url) throw new NetworkError('not_found', 'There is no photo.');
  return { id: picture.attrs.id ?? '', url: picture.attrs.url, type };
}

/** Proof that the contact has written to this number, which some people's privacy asks for. */
function trustToken(sock: WASocket, jid: Jid): Promise<BinaryNode[] | undefined> {
  const getLIDForPN = sock.signalRepository.lidMapping.getLIDForPN.bind(sock.signalRepository.lidMapping);
  return buildTcTokenFromJid({ authState: sock.authState, jid, getLIDForPN });
}
