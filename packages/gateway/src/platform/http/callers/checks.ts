import { createHash, timingSafeEqual } from 'node:crypto';
import { type Operation, parseSessionId, RIGHTS_OF_ROLE } from '@parley/contract';
import type { FastifyRequest } from 'fastify';
import { apiError } from '#kernel';
import {
  type Caller,
  type Gatekeeper,
  type KeyHolder,
  type MaybePromise,
  type NumberWithStatus,
  type OwnedNumber,
  requireReach,
  type Visitor,
} from './caller.ts';

/** Order on every route: key → terms and suspension → permission → body → ownership → handler. */

type Guarded = { readonly [F in 'permission' | 'answersBlockedAccounts']?: Operation[F] | undefined };

/** Returns the holder of the request's key, after checking its permission. */
export function checkKey(
  request: FastifyRequest,
  key: string | undefined,
  guarded: Guarded,
  gatekeeper: Gatekeeper,
): MaybePromise<Caller> {
  const found = key === undefined ? undefined : gatekeeper.admit(key);
  const check = (caller: KeyHolder | undefined): Caller => {
    request.keyHolder = caller;
    return checkCaller(caller, guarded);
  };
  return found instanceof Promise ? found.then(check) : check(found);
}

/** For a request with a key: the caller is undefined when the key is unknown. */
export function checkCaller(caller: Caller | undefined, operation: Guarded): Caller {
  const { permission } = operation;
  if (!caller) throw apiError('api_key_invalid');
  checkAccountStatus(caller, operation);
  if (permission && permission !== 'none' && caller.permissions?.has(permission) === false) {
    throw apiError('permission_missing', { permission });
  }
  return caller;
}

/** A blocked account reaches only the operations that report why. */
export function checkAccountStatus(
  { blocked }: Caller,
  { answersBlockedAccounts }: { readonly answersBlockedAccounts?: true | undefined },
): void {
  if (blocked && !answersBlockedAccounts) throw apiError(blocked);
}

/** No member may use an operation that declares no right. */
export function checkRight({ role, visit }: Visitor, { id, right, isPrivate }: Operation): void {
  if (visit && (isPrivate || (right !== 'see' && id !== 'getMe'))) throw apiError('role_lacks_right');
  if (right === undefined || !RIGHTS_OF_ROLE[role].includes(right)) throw apiError('role_lacks_right');
}

/** Without a configured token the surface does not exist, so that keys cannot be tried on it. */
export function checkOperatorToken(request: FastifyRequest, operatorToken: string | undefined): void {
  if (operatorToken === undefined) throw apiError('not_found');
  const given = bearerToken(request);
  if (given === undefined || !sameSecret(given, operatorToken)) throw apiError('operator_token_invalid');
}

/** An id of no session of the account gets the same answer whether it is well formed or not. */
function checkOwnership(
  sessionId: unknown,
  operation: Operation,
  caller: Caller,
  gatekeeper: Gatekeeper,
): MaybePromise<OwnedNumber> {
  const session = typeof sessionId === 'string' ? parseSessionId(sessionId) : null;
  if (!session) throw apiError('session_not_owned');
  const found = gatekeeper.ownedNumber(caller.accountId, session.phone);
  return found instanceof Promise
    ? found.then((number) => checkNumber(number, operation, caller))
    : checkNumber(found, operation, caller);
}

/** The same for numbers by phone: a number of another account does not exist. */
async function checkPhone(phone: unknown, caller: Caller, gatekeeper: Gatekeeper): Promise<OwnedNumber> {
  const number = await gatekeeper.ownedNumber(caller.accountId, String(phone));
  if (!number) throw apiError('device_not_found');
  return number;
}

/** Finds the number of a request, if its operation has one; an error when the caller may not use it. */
export function findNumber(
  operation: Operation,
  input: { readonly params: unknown; readonly body: unknown },
  caller: Caller | undefined,
  gatekeeper: Gatekeeper,
): MaybePromise<OwnedNumber | undefined> {
  if (!caller) return undefined;
  if (operation.subject === 'session') {
    return checkOwnership((input.params as { id?: unknown }).id, operation, caller, gatekeeper);
  }
  if (operation.subject === 'body_session') {
    return checkOwnership((input.body as { session_id?: unknown }).session_id, operation, caller, gatekeeper);
  }
  if (operation.subject === 'number') {
    return checkPhone((input.params as { phone?: unknown }).phone, caller, gatekeeper);
  }
  return undefined;
}

function checkNumber(
  number: NumberWithStatus | undefined,
  operation: Operation,
  caller: Caller,
): OwnedNumber {
  if (!number) throw apiError('session_not_owned');
  requireReach(caller, number.phone);
  if (operation.subject === 'session' && !mayUseSession(number, operation))
    throw apiError('device_not_active');
  return number;
}

/** The session of a suspended number cannot be used. That of an inactive one can be read, and ended. */
function mayUseSession({ status }: NumberWithStatus, { sessionMustBe }: Operation): boolean {
  return status === 'active' || (status === 'inactive' && sessionMustBe === undefined);
}

const USUAL_SCHEME = 'Bearer ';

export function bearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization;
  if (header === undefined) return undefined;
  // Parses the usual spelling by hand: on the hot path a pattern costs as much as all other checks.
  const { length } = USUAL_SCHEME;
  if (header.length > length && header.startsWith(USUAL_SCHEME) && !header.includes(' ', length))
    return header.slice(length);
  return /^Bearer +([^\s]+) *$/i.exec(header)?.[1];
}

/** Hashing first makes the lengths equal, so that timing reveals neither length nor content. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
