import type { Operation } from '@parley/contract';
import type { FastifyRequest } from 'fastify';
import { fault } from '#kernel';
import { type BrowserGate, refuseForgery } from './browser.ts';
import type { Caller, Gatekeeper, Soon } from './caller.ts';
import { checkKey, checkOperatorToken, checkStanding, hasBearerToken } from './checks.ts';

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
      return checkKey(request, operation, authenticators.gatekeeper);
    case 'operator':
      return authenticateOperator(request, authenticators);
    case 'portal':
      return authenticateOwner(request, operation, authenticators);
    case 'portal_entrance':
      if (!authenticators.browserGate) throw fault('not_found');
      refuseForgery(request);
      return undefined;
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
  if (operatorToken === undefined || !browserGate || cookie === undefined || hasBearerToken(request)) {
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
  return owner;
}
