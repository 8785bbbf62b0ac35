import type { Directory } from '#accounts';
import type { BrowserGate } from '#http';
import type { BrowserSessions } from './browser-sessions.ts';
import type { Cookies } from './cookies.ts';

/** Tells the HTTP server whose browser it is. */
export function createBrowserGate({
  cookies,
  browserSessions,
  directory,
}: {
  cookies: Cookies;
  browserSessions: BrowserSessions;
  directory: Pick<Directory, 'ownerOf'>;
}): BrowserGate {
  return {
    async owner(header) {
      const token = cookies.read(header, 'owner');
      const accountId = token && (await browserSessions.findOwner(token));
      return accountId ? directory.ownerOf(accountId) : undefined;
    },
    async isOperator(header) {
      const token = cookies.read(header, 'operator');
      return token !== undefined && browserSessions.isOperator(token);
    },
  };
}
