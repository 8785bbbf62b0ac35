import { createHash } from 'node:crypto';
import { type Clock, DAY_MS, type SealedBox, UnopenableBox } from '#kernel';
import { readCookie } from '../browser-sessions.ts';

/** Recognises browsers that a member has signed in with. The cookie outlives the session and gives no access. */
export interface KnownBrowsers {
  /** Whether the owner of the address has recently signed in with this browser. */
  isKnown(cookieHeader: string | undefined, email: string): boolean;
  /** Returns a Set-Cookie header that makes the browser known for the address. */
  remember(cookieHeader: string | undefined, email: string): string;
}

interface Known {
  /** Hash of the email address: short, and reveals no name. */
  readonly owner: string;
  /** Time of the sign-in. */
  readonly at: number;
}

const KEPT_MS = 90 * DAY_MS;
/** People who may share a browser. */
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
      // Forged, or sealed under an earlier master key: an unknown browser.
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
