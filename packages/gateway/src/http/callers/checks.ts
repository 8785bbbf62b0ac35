import { createHash, timingSafeEqual } from 'node:crypto';
import { type Operation, parseSessionId, RIGHTS_OF_ROLE } from '@parley/contract';
import type { FastifyRequest } from 'fastify';
import { fault } from '#kernel';
import type { Caller, Gatekeeper, KeyHolder, OwnedNumber, Soon, StandingNumber, Visitor } from './caller.ts';

/** Order on every route: key → terms and suspension → permission → body → ownership → handler. */

type Guarded = { readonly [F in 'permission' | 'answersBlockedAccounts']?: Operation[F] | undefined };

/** The holder of the key that the request shows, who may do this. */
export function checkKey(
  request: FastifyRequest,
  key: string | undefined,
  guarded: Guarded,
  gatekeeper: Gatekeeper,
): Soon<Caller> {
  const found = key === undefined ? undefined : gatekeeper.admit(key);
  const check = (caller: KeyHolder | undefined): Caller => {
    request.keyHolder = caller;
    return checkCaller(caller, guarded);
  };
  return found instanceof Promise ? found.then(check) : check(found);
}

/** For whoever has shown a key: undefined when it opens nothing. */
export function checkCaller(caller: Caller | undefined, operation: Guarded): Caller {
  const { permission } = operation;
  if (!caller) throw fault('api_key_invalid');
  checkStanding(caller, operation);
  if (permission && permission !== 'none' && caller.permissions?.has(permission) === false) {
    throw fault('permission_missing', { permission });
  }
  return caller;
}

/** An account that is blocked gets no further than to where it is told why. */
export function checkStanding(
  { blocked }: Caller,
  { answersBlockedAccounts }: { readonly answersBlockedAccounts?: true | undefined },
): void {
  if (blocked && !answersBlockedAccounts) throw fault(blocked);
}

/** What says of no right that it needs is open to nobody. */
export function checkRight({ role, visit }: Visitor, { id, right, isPrivate }: Operation): void {
  if (visit && (isPrivate || (right !== 'see' && id !== 'getMe'))) throw fault('role_lacks_right');
  if (right === undefined || !RIGHTS_OF_ROLE[role].includes(right)) throw fault('role_lacks_right');
}

/** Without a configured token the surface does not exist, so that nobody finds a door to try keys on. */
export function checkOperatorToken(request: FastifyRequest, operatorToken: string | undefined): void {
  if (operatorToken === undefined) throw fault('not_found');
  const given = bearerToken(request);
  if (given === undefined || !sameSecret(given, operatorToken)) throw fault('operator_token_invalid');
}

/** An id that names no session of the account is answered the same way whether it is well formed or not. */
function checkOwnership(
  sessionId: unknown,
  operation: Operation,
  caller: Caller,
  gatekeeper: Gatekeeper,
): Soon<OwnedNumber> {
  const session = typeof sessionId === 'string' ? parseSessionId(sessionId) : null;
  if (!session) throw fault('session_not_owned');
  const found = gatekeeper.ownedNumber(caller.accountId, session.phone);
  return found instanceof Promise
    ? found.then((number) => checkNumber(number, operation, caller))
    : checkNumber(found, operation, caller);
}

/** The same for numbers by their phone, where a number that is not the account's own does not exist. */
async function checkPhone(phone: unknown, caller: Caller, gatekeeper: Gatekeeper): Promise<OwnedNumber> {
  const number = await gatekeeper.ownedNumber(caller.accountId, String(phone));
  if (!number) throw fault('device_not_found');
  return number;
}

/** The number that a request is about, where its operation says that it is about one; a fault when it is not the caller's to use. */
export function findNumber(
  operation: Operation,
  input: { readonly params: unknown; readonly body: unknown },
  caller: Caller | undefined,
  gatekeeper: Gatekeeper,
): Soon<OwnedNumber | undefined> {
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

function checkNumber(number: StandingNumber | undefined, operation: Operation, caller: Caller): OwnedNumber {
  if (!number) throw fault('session_not_owned');
  if (caller.phone !== null && caller.phone !== number.phone) throw fault('key_restricted');
  if (operation.subject === 'session' && !mayUseSession(number, operation)) throw fault('device_not_active');
  return number;
}

/** Nothing is done with the session of a suspended number. That of an inactive one can be looked at, and ended. */
function mayUseSession({ status }: StandingNumber, { sessionMustBe }: Operation): boolean {
  return status === 'active' || (status === 'inactive' && sessionMustBe === undefined);
}

const USUAL_SCHEME = 'Bearer ';

export function bearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization;
  if (header === undefined) return undefined;
  // As nearly everybody writes it, taken apart by hand: on the hot path a pattern costs as much as all the other checks.
  const { length } = USUAL_SCHEME;
  if (header.length > length && header.startsWith(USUAL_SCHEME) && !header.includes(' ', length))
    return header.slice(length);
  return /^Bearer +([^\s]+) *$/i.exec(header)?.[1];
}

/** Hashing first makes the lengths equal, so that neither length nor content shows in the time it takes. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
