import { createHash, timingSafeEqual } from 'node:crypto';
import { type Operation, parseSessionId } from '@parley/contract';
import type { FastifyRequest } from 'fastify';
import { fault } from '#kernel';
import type { Caller, Gatekeeper, OwnedNumber } from './caller.ts';

/** Order on every route: key → terms and suspension → permission → body → ownership → handler. */

export async function checkKey(
  request: FastifyRequest,
  operation: Operation,
  gatekeeper: Gatekeeper,
): Promise<Caller> {
  const key = bearerToken(request);
  const caller = key === undefined ? undefined : await gatekeeper.admit(key);
  if (!caller) throw fault('api_key_invalid');
  if (caller.blocked && !operation.answersBlockedAccounts) throw fault(caller.blocked);
  const { permission } = operation;
  if (permission && permission !== 'none' && caller.permissions?.has(permission) === false) {
    throw fault('permission_missing', { permission });
  }
  return caller;
}

/** Without a configured token the surface does not exist, so that nobody finds a door to try keys on. */
export function checkOperatorToken(request: FastifyRequest, operatorToken: string | undefined): void {
  if (operatorToken === undefined) throw fault('not_found');
  const given = bearerToken(request);
  if (given === undefined || !sameSecret(given, operatorToken)) throw fault('operator_token_invalid');
}

export async function checkOwnership(
  sessionId: unknown,
  field: string,
  caller: Caller,
  gatekeeper: Gatekeeper,
): Promise<OwnedNumber> {
  const session = typeof sessionId === 'string' ? parseSessionId(sessionId) : null;
  if (!session) throw fault('invalid_field', { text: `${field} must be a session JID` });
  const number = await gatekeeper.ownedNumber(caller.accountId, session.phone);
  if (!number) throw fault('session_not_owned');
  if (caller.phone !== null && caller.phone !== number.phone) throw fault('key_restricted');
  return number;
}

function bearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization;
  return header === undefined ? undefined : /^Bearer +([^\s]+) *$/i.exec(header)?.[1];
}

/** Hashing first makes the lengths equal, so that neither length nor content shows in the time it takes. */
function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
