import type { Operation } from '@parley/contract';
import type { FastifyRequest } from 'fastify';
import { apiError } from '#kernel';
import type { Caller, Gatekeeper, MaybePromise, Visitor } from './caller.ts';
import { bearerToken, checkAccountStatus, checkKey, checkOperatorToken, checkRight } from './checks.ts';

/** Authenticators of each surface. */
export interface Authenticators {
  readonly gatekeeper: Gatekeeper;
  /** Without it there is no portal. */
  readonly browserGate?: BrowserGate | undefined;
  readonly operatorToken: string | undefined;
}

/** Authenticates a request with the method of its surface; yields the caller, where the surface has one. */
export function authenticate(
  request: FastifyRequest,
  operation: Operation,
  authenticators: Authenticators,
): MaybePromise<Caller | undefined> {
  switch (operation.surface) {
    case 'v1':
      return checkKey(request, bearerToken(request), operation, authenticators.gatekeeper);
    case 'operator':
      return authenticateOperator(request, authenticators);
    case 'portal':
      return authenticateOwner(request, operation, authenticators);
    case 'portal_entrance':
      if (!authenticators.browserGate) throw apiError('not_found');
      refuseForgery(request);
      return undefined;
    case 'signed':
    case 'public':
      return undefined;
    default:
      throw apiError('not_found');
  }
}

/** Accepts the token, or the cookie of an operator who has signed in with it. */
export function authenticateOperator(
  request: FastifyRequest,
  { operatorToken, browserGate }: Authenticators,
): MaybePromise<undefined> {
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
    if (!isOperator) throw apiError('operator_token_invalid');
    refuseForgery(request);
    return undefined;
  });
}

async function authenticateOwner(
  request: FastifyRequest,
  operation: Operation,
  { browserGate }: Authenticators,
): Promise<Caller> {
  if (!browserGate) throw apiError('not_found');
  refuseForgery(request);
  const owner = await browserGate.owner(request.headers.cookie);
  if (!owner) throw apiError('sign_in_required');
  checkAccountStatus(owner, operation);
  checkRight(owner, operation);
  return owner;
}

/** Knows who has signed in with a browser; implemented by the portal room. Cookies come as the browser sends them, all in one header. */
export interface BrowserGate {
  /** The account whose member has signed in; undefined without a session, or after it expired. */
  owner(cookies: string | undefined): Promise<Visitor | undefined>;
  isOperator(cookies: string | undefined): Promise<boolean>;
}

/** A page of another origin cannot add a custom header without a CORS permission, and we grant none. */
const PORTAL_HEADER = 'x-parley-portal';
const CHANGES_NOTHING: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** A browser attaches its cookies to requests from any page: a request that changes something must come from our own pages. */
function refuseForgery({ method, headers }: FastifyRequest): void {
  if (CHANGES_NOTHING.has(method)) return;
  if (headers[PORTAL_HEADER] === undefined || !isFromOwnPages(headers)) throw apiError('request_forged');
}

/** Uses what the browser states. Without it the host has to match, which a proxy may have changed. */
function isFromOwnPages({ 'sec-fetch-site': site, origin, host }: FastifyRequest['headers']): boolean {
  if (site !== undefined) return site === 'same-origin';
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}
