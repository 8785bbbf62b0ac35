import type { FastifyRequest } from 'fastify';
import { fault } from '#kernel';
import type { Caller } from './caller.ts';

/** Knows who has signed in with a browser; the portal room is one. Cookies come as the browser sends them, all in one header. */
export interface BrowserGate {
  /** For the account whose owner has signed in; undefined when nobody has, or too long ago. */
  owner(cookies: string | undefined): Promise<Caller | undefined>;
  isOperator(cookies: string | undefined): Promise<boolean>;
}

/** No page of another origin can add a header of its own to a request without being allowed to, and we allow nobody. */
const PORTAL_HEADER = 'x-parley-portal';
const CHANGES_NOTHING: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** A browser adds its cookies to whatever request it is made to send: one that changes something must come from our own pages. */
export function refuseForgery({ method, headers }: FastifyRequest): void {
  if (CHANGES_NOTHING.has(method)) return;
  if (headers[PORTAL_HEADER] === undefined || !isFromOwnPages(headers)) throw fault('request_forged');
}

/** What the browser itself says. Only where it does not, the host has to match, which a proxy may have changed. */
function isFromOwnPages({ 'sec-fetch-site': site, origin, host }: FastifyRequest['headers']): boolean {
  if (site !== undefined) return site === 'same-origin';
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}
