import type { WASocket } from 'baileys';
import type { Clock } from '#kernel';
import type { Jid } from '../../content.ts';
import type { LookUpResult } from '../../operations.ts';
import { createBoundedCache } from '../bounded-cache.ts';
import { accountOf, digitsOf, isPhone } from '../convert/index.ts';
import {
  askedNumber,
  byNumber,
  CONTACT,
  type FoundUser,
  isRegisteredUser,
  LID,
  lidOf,
  queryUsers,
  VERIFIED_NAME,
  verifiedNameOf,
} from '../link/queries.ts';

const HOUR_MS = 3_600_000;
const KNOWN_FOR_MS = 24 * HOUR_MS;
/** Somebody may sign up. */
const UNKNOWN_FOR_MS = HOUR_MS / 12;

const CACHE_LIMIT = 50_000;

/** Which numbers the network knows. The answers hold for every session, so they are shared. */
export function createNumberLookup(clock: Pick<Clock, 'now'>) {
  const cache = createBoundedCache<{ registered: boolean; until: number }>({ limit: CACHE_LIMIT });

  function learn(digits: string, registered: boolean): void {
    cache.set(digits, { registered, until: clock.now() + (registered ? KNOWN_FOR_MS : UNKNOWN_FOR_MS) });
  }

  async function lookUp(sock: WASocket, numbers: readonly string[]): Promise<readonly LookUpResult[]> {
    if (numbers.length === 0) return [];
    const found = await queryUsers(sock, [CONTACT, VERIFIED_NAME, LID], numbers.map(byNumber));
    await learnLids(sock, found);
    const answered = new Map(found.map((user) => [numberOf(user), user]));
    return numbers.map((number) => {
      const user = answered.get(number);
      // What the network left out it may tell the next time.
      if (!user) return { number };
      const registered = isRegisteredUser(user);
      learn(number, registered);
      if (!registered) return { number };
      const verifiedName = verifiedNameOf(user);
      return { number, jid: accountOf(user.jid), ...(verifiedName ? { verifiedName } : {}) };
    });
  }

  return {
    lookUp,
    async isRegistered(sock: WASocket, jid: Jid): Promise<boolean> {
      const digits = digitsOf(jid);
      const known = cache.get(digits);
      if (known && known.until > clock.now()) return known.registered;
      const [result] = await lookUp(sock, [digits]);
      return result?.jid !== undefined;
    },
  };
}

export type NumberLookup = ReturnType<typeof createNumberLookup>;

/** Whoever is looked up is mostly written to next, and that goes to the address which hides the number. */
async function learnLids(sock: WASocket, found: readonly FoundUser[]): Promise<void> {
  const pairs = found.flatMap((user) => {
    const lid = lidOf(user);
    return lid === undefined || !isPhone(user.jid) ? [] : { lid, pn: accountOf(user.jid) };
  });
  await sock.signalRepository.lidMapping.storeLIDPNMappings(pairs);
}

function numberOf(user: FoundUser): string {
  return askedNumber(user) ?? digitsOf(user.jid);
}
