import { readCookie } from './browser-sessions.ts';

/** By which a browser shows that it was the first to open a link. */
export interface LinkCookie {
  read(header: string | undefined): string | undefined;
  /** A Set-Cookie header. */
  give(token: string, browser: string): string;
}

/** Longer than any pairing takes; then the browser forgets it. */
const KEPT_SECONDS = 60 * 60;

export function createLinkCookie({ secure }: { secure: boolean }): LinkCookie {
  const name = secure ? '__Secure-parley_link' : 'parley_link';
  return {
    read: (header) => readCookie(header, name),
    // It goes back to this link alone: a browser may hold several.
    give: (token, browser) =>
      `${name}=${browser}; Max-Age=${KEPT_SECONDS}; Path=/portal/api/links/${token}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`,
  };
}
