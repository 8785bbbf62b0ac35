import { getBinaryNodeChild, type WASocket } from 'baileys';
import type { Jid } from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import type { ContactOperations, FoundByUsername, Identity } from '../../operations.ts';
import { createBoundedCache } from '../bounded-cache.ts';
import { accountOf, isLid, isPhone } from '../convert/index.ts';
import {
  byJid,
  byUsername,
  CONTACT,
  DEVICES,
  devicesOf,
  isRegisteredUser,
  queryUsers,
  USERNAME,
  usernameIn,
} from '../link/queries.ts';
import { nameOfChat, phoneBehind } from '../receive/people.ts';
import { learnUsername, usernameOf } from '../receive/usernames.ts';
import type { Addressing } from '../send/addressing.ts';
import { ask, type SessionContext } from '../session-context.ts';
import type { NumberLookup } from './number-lookup.ts';

/** Names change hands seldom, and messages to one go out in a row. */
const KNOWN_FOR_MS = 3_600_000;
const MOST_KNOWN = 10_000;

/** Who is who: number, hidden address and username of one person. */
export function createIdentities(
  context: SessionContext,
  numbers: NumberLookup,
  addressing: Pick<Addressing, 'of'>,
): Pick<ContactOperations, 'identify' | 'findByUsername'> {
  /** Hidden addresses by username and key. */
  const found = createBoundedCache<{ readonly lid: Jid; readonly until: number }>({ limit: MOST_KNOWN });

  async function behindNumber(sock: WASocket, jid: Jid): Promise<Identity> {
    if (!(await numbers.isRegistered(sock, jid))) throw unknown();
    const lid = await addressing.of(sock, jid);
    if (!isLid(lid)) return { jid };
    const [user] = await queryUsers(sock, [USERNAME], [byJid(lid)]);
    return { jid, lid, ...(await nameTold(lid, user && usernameIn(user))) };
  }

  async function behindLid(sock: WASocket, lid: Jid): Promise<Identity> {
    const [user] = await queryUsers(sock, [DEVICES, USERNAME], [byJid(lid)]);
    if (!user || !devicesOf(user)) throw unknown();
    return { ...(await bothAddresses(lid)), ...(await nameTold(lid, usernameIn(user))) };
  }

  async function bothAddresses(lid: Jid): Promise<Identity> {
    const jid = await phoneBehind(context.vault(), lid);
    return { ...(jid === undefined ? {} : { jid }), lid };
  }

  async function nameTold(lid: Jid, told: string | undefined): Promise<Pick<Identity, 'username'>> {
    if (told !== undefined) await learnUsername(context.vault(), lid, told);
    const username = told ?? (await usernameOf(context.vault(), lid));
    return username === undefined ? {} : { username };
  }

  /** `guarded` is somebody whom the network gives no address of. */
  async function lookUp(sock: WASocket, username: string, key: string | undefined): Promise<Jid | 'guarded'> {
    const cached = `${username.toLowerCase()}:${key ?? ''}`;
    const known = found.get(cached);
    if (known && known.until > context.clock.now()) return known.lid;
    const [user] = await queryUsers(sock, [CONTACT, USERNAME], [byUsername(username, key)]);
    if (!user || getBinaryNodeChild(user.node, 'contact')?.attrs.type === 'out') throw nobodysName();
    const lid = accountOf(user.jid);
    if (!isLid(lid)) {
      if (user.jid === '' && isRegisteredUser(user)) return 'guarded';
      throw nobodysName();
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

function unknown(): NetworkError {
  return new NetworkError('not_found', 'The contact is not registered on the network.');
}

function nobodysName(): NetworkError {
  return new NetworkError('not_found', 'Nobody has this username.');
}
