import { CodecError, type Codecs } from '@parley/codecs';
import { type BinaryNode, getBinaryNodeChild, type WASocket } from 'baileys';
import { buildTcTokenFromJid } from 'baileys/lib/Utils/tc-token-utils.js';
import { HOUR_MS } from '#kernel';
import type { Jid, MediaFile } from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import type { ContactOperations, FoundByUsername, Identity, Photo, UserInfo } from '../../operations.ts';
import { createBoundedCache } from '../bounded-cache.ts';
import { accountOf, isGroup, isLid, isOwnJid, isPhone } from '../convert/index.ts';
import {
  ABOUT,
  byJid,
  byUsername,
  CONTACT,
  DEVICES,
  devicesOf,
  isRegisteredUser,
  PICTURE,
  PROFILE_QUERIES,
  queryNetwork,
  queryUsers,
  runQuery,
  textOf,
  USERNAME,
  usernameIn,
  VERIFIED_NAME,
  verifiedNameOf,
} from '../link/queries.ts';
import type { ContactBook } from '../receive/contact-book.ts';
import { learnUsername, nameOfChat, personAt, phoneBehind, usernameOf } from '../receive/people.ts';
import type { Addressing } from '../send/addressing.ts';
import { ask, type SessionContext } from '../session-context.ts';
import type { Accounts } from './accounts.ts';

export function createContactOperations(
  context: SessionContext,
  book: ContactBook,
  accounts: Pick<Accounts, 'find' | 'lookUp'>,
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
    // Clients of today change it by a stored query, the library by the request before.
    setAbout: async (text) => {
      const input = { text, ephemeral_duration_sec: 0 };
      await ask(context, (sock) => runQuery(sock, PROFILE_QUERIES.about, { input }));
    },
    setOwnName: (name) => ask(context, (sock) => sock.updateProfileName(name)),
    setOwnPhoto: (image) => ask(context, (sock) => setPicture(sock, context.codecs, undefined, image)),
    blocklist: () => ask(context, blocklist),
    changeBlocklist: (contact, action) =>
      ask(context, async (sock) => {
        await sock.updateBlockStatus(contact, action);
        return blocklist(sock);
      }),
    ...createIdentities(context, accounts, addressing),
    lookUp: (wanted) => ask(context, (sock) => accounts.lookUp(sock, wanted)),
  };
}

async function userInfo(sock: WASocket, contact: Jid): Promise<UserInfo> {
  const wanted = [CONTACT, ABOUT, PICTURE, DEVICES, VERIFIED_NAME];
  const [user] = await queryUsers(sock, wanted, [byJid(contact)]);
  const devices = user && devicesOf(user);
  if (!user || !devices) throw unregistered();
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

/** The library returns only the URL of a photo. */
async function photo(
  context: SessionContext,
  sock: WASocket,
  contact: Jid,
  size: 'preview' | 'full',
): Promise<Photo> {
  const type = size === 'full' ? 'image' : 'preview';
  const token =
    isGroup(contact) || isOwnJid(contact, context.me()) ? undefined : await trustToken(sock, contact);
  const answer = await queryNetwork(sock, { type: 'get', xmlns: 'w:profile:picture', target: contact }, [
    { tag: 'picture', attrs: { type, query: 'url' }, ...(token?.length ? { content: token } : {}) },
  ]);
  const picture = getBinaryNodeChild(answer, 'picture');
  if (!picture?.attrs.url) throw new NetworkError('not_found', 'There is no photo.');
  return { id: picture.attrs.id ?? '', url: picture.attrs.url, type };
}

/** Token that proves that the contact has written to this number; some privacy settings require it. */
function trustToken(sock: WASocket, jid: Jid): Promise<BinaryNode[] | undefined> {
  const getLIDForPN = sock.signalRepository.lidMapping.getLIDForPN.bind(sock.signalRepository.lidMapping);
  return buildTcTokenFromJid({ authState: sock.authState, jid, getLIDForPN });
}

/** Usernames rarely change their owner, and messages to one come in a row. */
const KNOWN_FOR_MS = HOUR_MS;
const MOST_KNOWN = 10_000;

/** Resolves identities: number, hidden address and username of one person. */
function createIdentities(
  context: SessionContext,
  accounts: Pick<Accounts, 'find'>,
  addressing: Pick<Addressing, 'of'>,
): Pick<ContactOperations, 'identify' | 'findByUsername'> {
  /** Hidden addresses by username and key. */
  const found = createBoundedCache<{ readonly lid: Jid; readonly until: number }>({ limit: MOST_KNOWN });

  async function behindNumber(sock: WASocket, asked: Jid): Promise<Identity> {
    const jid = await accounts.find(sock, asked);
    if (jid === undefined) throw unregistered();
    const lid = await addressing.of(sock, jid);
    if (!isLid(lid)) return { jid };
    const [user] = await queryUsers(sock, [USERNAME], [byJid(lid)]);
    return { jid, lid, ...(await withUsername(lid, user && usernameIn(user))) };
  }

  async function behindLid(sock: WASocket, lid: Jid): Promise<Identity> {
    const [user] = await queryUsers(sock, [DEVICES, USERNAME], [byJid(lid)]);
    if (!user || !devicesOf(user)) throw unregistered();
    return { ...(await bothAddresses(lid)), ...(await withUsername(lid, usernameIn(user))) };
  }

  async function bothAddresses(lid: Jid): Promise<Identity> {
    const jid = await phoneBehind(context.vault(), lid);
    return { ...(jid === undefined ? {} : { jid }), lid };
  }

  async function withUsername(lid: Jid, received: string | undefined): Promise<Pick<Identity, 'username'>> {
    if (received !== undefined) await learnUsername(context.vault(), lid, received);
    const username = received ?? (await usernameOf(context.vault(), lid));
    return username === undefined ? {} : { username };
  }

  /** `guarded`: a person whose address the network does not reveal. */
  async function lookUp(sock: WASocket, username: string, key: string | undefined): Promise<Jid | 'guarded'> {
    const cached = `${username.toLowerCase()}:${key ?? ''}`;
    const known = found.get(cached);
    if (known && known.until > context.clock.now()) return known.lid;
    const [user] = await queryUsers(sock, [CONTACT, USERNAME], [byUsername(username, key)]);
    if (!user || getBinaryNodeChild(user.node, 'contact')?.attrs.type === 'out') throw unassignedUsername();
    const lid = accountOf(user.jid);
    if (!isLid(lid)) {
      if (user.jid === '' && isRegisteredUser(user)) return 'guarded';
      throw unassignedUsername();
    }
    const pn = accountOf(user.node.attrs.pn_jid);
    if (isPhone(pn)) await sock.signalRepository.lidMapping.storeLIDPNMappings([{ pn, lid }]);
    await learnUsername(context.vault(), lid, usernameIn(user) ?? username);
    found.set(cached, { lid, until: context.clock.now() + KNOWN_FOR_MS });
    return lid;
  }

  async function byName(sock: WASocket, username: string, key: string | undefined): Promise<FoundByUsername> {
    const lid = await lookUp(sock, username, key);
    if (lid === 'guarded') return { kind: 'guarded', given: key !== undefined };
    const chat = await nameOfChat(context.vault(), lid);
    return {
      kind: 'found',
      chat,
      ...(await bothAddresses(lid)),
      username: (await usernameOf(context.vault(), lid)) ?? username,
    };
  }

  return {
    identify: (who) => ask(context, (sock) => (isLid(who) ? behindLid(sock, who) : behindNumber(sock, who))),
    findByUsername: (username, key) => ask(context, (sock) => byName(sock, username, key)),
  };
}

function unregistered(): NetworkError {
  return new NetworkError('not_found', 'The contact is not registered on the network.');
}

function unassignedUsername(): NetworkError {
  return new NetworkError('not_found', 'No account has this username.');
}

/** Side of the square that the network keeps. */
const PICTURE_PIXELS = 640;

/**
 * Sets the picture of a group, or without one the number's own. The library does not return the id of the new
 * picture.
 */
export async function setPicture(
  sock: WASocket,
  codecs: Pick<Codecs, 'square'>,
  group: Jid | undefined,
  image: MediaFile | null,
): Promise<string> {
  const picture = image ? await pictureFrom(codecs, image) : undefined;
  const answer = await queryNetwork(
    sock,
    { type: 'set', xmlns: 'w:profile:picture', ...(group === undefined ? {} : { target: group }) },
    picture && [{ tag: 'picture', attrs: { type: 'image' }, content: picture }],
  );
  return picture ? (getBinaryNodeChild(answer, 'picture')?.attrs.id ?? '') : '';
}

/** The square JPEG that the network shows for people, groups and channels. */
export async function pictureFrom(codecs: Pick<Codecs, 'square'>, { path }: MediaFile): Promise<Buffer> {
  try {
    return Buffer.from(await codecs.square(path, PICTURE_PIXELS));
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    if (error.reason === 'busy' || error.reason === 'closed') {
      throw new NetworkError('transient', 'Too many pictures are being converted.', { cause: error });
    }
    throw new NetworkError('malformed', 'The file is not an image that can be a picture.', { cause: error });
  }
}
