import type { Operation } from '@parley/contract';
import type { FastifyRequest } from 'fastify';
import { fault } from '#kernel';
import type { Caller, Gatekeeper, Soon, Visitor } from './caller.ts';
import { bearerToken, checkKey, checkOperatorToken, checkRight, checkStanding } from './checks.ts';

/** Those who know the callers of each surface. */
export interface Authenticators {
  readonly gatekeeper: Gatekeeper;
  /** Without it there is no portal here. */
  readonly browserGate?: BrowserGate | undefined;
  readonly operatorToken: string | undefined;
}

/** Each surface has its own way in; what comes out is the caller, where the surface has one. */
export function authenticate(
  request: FastifyRequest,
  operation: Operation,
  authenticators: Authenticators,
): Soon<Caller | undefined> {
  switch (operation.surface) {
    case 'v1':
      return checkKey(request, bearerToken(request), operation, authenticators.gatekeeper);
    case 'operator':
      return authenticateOperator(request, authenticators);
    case 'portal':
      return authenticateOwner(request, operation, authenticators);
    case 'portal_entrance':
      if (!authenticators.browserGate) throw fault('not_found');
      refuseForgery(request);
      return undefined;
    case 'signed':
    case 'public':
      return undefined;
    default:
      throw fault('not_found');
  }
}

/** By the token, or by the cookie of an operator who has shown it before. */
export function authenticateOperator(
  request: FastifyRequest,
  { operatorToken, browserGate }: Authenticators,
): Soon<undefined> {
  const { cookie } = request.headers;
  if (
    operatorToken === undefined ||
    !browserGate ||
    cookie === undefined ||
    bearerToken(request) !== undefined
  ) {
    checkOperatorToken(request, operatorToken);
    return undefined;
  }
  return browserGate.isOperator(cookie).then((isOperator) => {
    if (!isOperator) throw fault('operator_token_invalid');
    refuseForgery(request);
    return undefined;
  });
}

async function authenticateOwner(
  request: FastifyRequest,
  operation: Operation,
  { browserGate }: Authenticators,
): Promise<Caller> {
  if (!browserGate) throw fault('not_found');
  refuseForgery(request);
  const owner = await browserGate.owner(request.headers.cookie);
  if (!owner) throw fault('sign_in_required');
  checkStanding(owner, operation);
  checkRight(owner, operation);
  return owner;
}

/** Knows who has signed in with a browser; the portal room is one. Cookies come as the browser sends them, all in one header. */
export interface BrowserGate {
  /** For the account whose owner has signed in; undefined when nobody has, or too long ago. */
  owner(cookies: string | undefined): Promise<Visitor | undefined>;
  isOperator(cookies: string | undefined): Promise<boolean>;
}

/** No page of another origin can add a header of its own to a request without being allowed to, and we allow nobody. */
const PORTAL_HEADER = 'x-parley-portal';
const CHANGES_NOTHING: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** A browser adds its cookies to whatever request it is made to send: one that changes something must come from our own pages. */
function refuseForgery({ method, headers }: FastifyRequest): void {
  if (CHANGES_NOTHING.has(method)) return;
  if (headers[PORTAL_HEADER] === undefined || !isFromOwnPages(headers)) throw fault('request_forged');
}

/** What the browser itself says. Only where it does not, the host has to match, which a proxy may have changed. */
function isFromOwnPages({ 'sec-fetch-site': site, origin, host }: FastifyRequest['headers']): boolean {
  if (site !== undefined) return site === 'same-origin';
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}
