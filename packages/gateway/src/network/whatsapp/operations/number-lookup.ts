import type { WASocket } from 'baileys';
import type { Clock } from '#kernel';
import type { Jid } from '../../content.ts';
import type { LookUpResult } from '../../operations.ts';
import { createBoundedCache } from '../bounded-cache.ts';
import { digitsOf, phoneJid } from '../convert/index.ts';
import {
  askedNumber,
  byNumber,
  CONTACT,
  type FoundUser,
  isRegisteredUser,
  LID,
  lidOf,
  phoneOf,
  queryUsers,
  VERIFIED_NAME,
  verifiedNameOf,
} from '../link/queries.ts';

const HOUR_MS = 3_600_000;
const KNOWN_FOR_MS = 24 * HOUR_MS;
/** A number may be registered at any time. */
const UNKNOWN_FOR_MS = HOUR_MS / 12;

const CACHE_LIMIT = 50_000;

/** Looks up which numbers the network knows. The answers hold for every session, so they are shared. */
export function createNumberLookup(clock: Pick<Clock, 'now'>) {
  /** Accounts by the digits asked for; undefined for numbers that are not registered. */
  const cache = createBoundedCache<{ account: Jid | undefined; until: number }>({ limit: CACHE_LIMIT });

  function learn(digits: string, account: Jid | undefined): void {
    cache.set(digits, { account, until: clock.now() + (account ? KNOWN_FOR_MS : UNKNOWN_FOR_MS) });
  }

  function recent(jid: Jid): { readonly account: Jid | undefined } | undefined {
    const known = cache.get(digitsOf(jid));
    return known && known.until > clock.now() ? known : undefined;
  }

  async function lookUp(sock: WASocket, numbers: readonly string[]): Promise<readonly LookUpResult[]> {
    if (numbers.length === 0) return [];
    const found = await queryUsers(sock, [CONTACT, VERIFIED_NAME, LID], numbers.map(byNumber));
    await learnLids(sock, found);
    const answered = new Map(found.map((user) => [numberOf(user), user]));
    return numbers.map((number) => {
      const user = answered.get(number);
      // A number that the network omits may be in the next answer.
      if (!user) return { number };
      const account = isRegisteredUser(user) ? numberBehind(user, number) : undefined;
      learn(number, account);
      if (account === undefined) return { number };
      const verifiedName = verifiedNameOf(user);
      return { number, jid: account, ...(verifiedName ? { verifiedName } : {}) };
    });
  }

  return {
    lookUp,
    recent,
    /** The account's own number, which may have another spelling; undefined when it is not registered. */
    async find(sock: WASocket, jid: Jid): Promise<Jid | undefined> {
      const known = recent(jid);
      if (known) return known.account;
      const [result] = await lookUp(sock, [digitsOf(jid)]);
      return result?.jid;
    },
    forget: (jid: Jid) => cache.delete(digitsOf(jid)),
  };
}

export type NumberLookup = ReturnType<typeof createNumberLookup>;

/** A number that was looked up mostly gets a message next, which goes to its hidden address. */
async function learnLids(sock: WASocket, found: readonly FoundUser[]): Promise<void> {
  const pairs = found.flatMap((user) => {
    const [pn, lid] = [phoneOf(user), lidOf(user)];
    return pn !== undefined && lid !== undefined ? { lid, pn } : [];
  });
  await sock.signalRepository.lidMapping.storeLIDPNMappings(pairs);
}

function numberBehind(user: FoundUser, asked: string): Jid {
  return phoneOf(user) ?? phoneJid(asked);
}

function numberOf(user: FoundUser): string {
  return askedNumber(user) ?? digitsOf(phoneOf(user) ?? user.jid);
}
