import { createHash } from 'node:crypto';
import { type Clock, type SealedBox, UnopenableBox } from '#kernel';
import { readCookie } from '../browser-sessions.ts';

/** Knows the browsers that somebody has signed in with, by a cookie that outlives the visit and opens nothing. */
export interface KnownBrowsers {
  /** Whether the owner of the address has signed in with this browser of late. */
  isKnown(cookieHeader: string | undefined, email: string): boolean;
  /** A Set-Cookie header, by which the browser is known for the address from now on. */
  remember(cookieHeader: string | undefined, email: string): string;
}

interface Known {
  /** A hash of their address: the cookie stays small, and names nobody. */
  readonly owner: string;
  /** When they have signed in. */
  readonly at: number;
}

const KEPT_MS = 90 * 24 * 3_600_000;
/** People who share a browser. */
const OWNERS_MAX = 5;
const SEALED_FOR = 'a known browser';

export function createKnownBrowsers({
  sealedBox,
  clock,
  secure,
}: {
  sealedBox: Pick<SealedBox, 'seal' | 'open'>;
  clock: Pick<Clock, 'now'>;
  secure: boolean;
}): KnownBrowsers {
  const name = secure ? '__Secure-parley_known' : 'parley_known';
  const attributes = `Max-Age=${KEPT_MS / 1_000}; Path=/portal/api/sign-in; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;

  function read(cookieHeader: string | undefined): Known[] {
    const cookie = readCookie(cookieHeader, name);
    if (cookie === undefined) return [];
    try {
      const plain = Buffer.from(sealedBox.open(Buffer.from(cookie, 'base64url'), SEALED_FOR));
      const known: Known[] = JSON.parse(plain.toString('utf8'));
      return known.filter(({ at }) => clock.now() - at < KEPT_MS);
    } catch (error) {
      // A forgery, or from before the master key was changed: a browser like any other.
      if (error instanceof UnopenableBox) return [];
      throw error;
    }
  }

  return {
    isKnown: (cookieHeader, email) => read(cookieHeader).some((known) => known.owner === nameOf(email)),
    remember(cookieHeader, email) {
      const own = { owner: nameOf(email), at: clock.now() };
      const others = read(cookieHeader).filter((known) => known.owner !== own.owner);
      const known = [own, ...others].slice(0, OWNERS_MAX);
      const sealed = sealedBox.seal(Buffer.from(JSON.stringify(known), 'utf8'), SEALED_FOR);
      return `${name}=${Buffer.from(sealed).toString('base64url')}; ${attributes}`;
    },
  };
}

function nameOf(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('base64url').slice(0, 22);
}
