import type { Directory } from '#accounts';
import type { BrowserGate } from '#http';
import type { Cookies } from './cookies.ts';
import type { Visits } from './visits.ts';

/** Tells the HTTP server whose browser it is. */
export function createBrowserGate({
  cookies,
  visits,
  directory,
}: {
  cookies: Cookies;
  visits: Visits;
  directory: Pick<Directory, 'ownerOf'>;
}): BrowserGate {
  return {
    async owner(header) {
      const token = cookies.read(header, 'owner');
      const accountId = token && (await visits.findOwner(token));
      return accountId ? directory.ownerOf(accountId) : undefined;
    },
    async isOperator(header) {
      const token = cookies.read(header, 'operator');
      return token !== undefined && visits.isOperator(token);
    },
  };
}
