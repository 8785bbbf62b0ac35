import type { WrittenUsername } from '@parley/contract';
import type { OwnedNumber } from '#http';
import { fault, faultBecause } from '#kernel';
import { type FoundByUsername, NetworkError } from '#network';
import type { CallSession } from './types.ts';

type FoundPerson = Extract<FoundByUsername, { kind: 'found' }>;

/** Whose username it is; whatever stands in the way is told in one sentence. */
export async function findByUsername(
  callSession: CallSession,
  number: OwnedNumber,
  written: WrittenUsername,
): Promise<FoundPerson> {
  const found = await lookUpUsername(callSession, number, written);
  if (found === undefined) throw fault('username_not_found');
  if (found.kind === 'guarded') throw fault(found.given ? 'username_key_wrong' : 'username_key_required');
  return found;
}

/** Undefined when it is nobody's. */
export async function lookUpUsername(
  callSession: CallSession,
  number: OwnedNumber,
  { username, key }: WrittenUsername,
): Promise<FoundByUsername | undefined> {
  try {
    return await callSession(
      number,
      'contacts.findByUsername',
      key === undefined ? [username] : [username, key],
    );
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    if (error.kind === 'not_found') return undefined;
    throw faultBecause(error, error.kind === 'refused' ? 'network_forbids' : 'network_rejects');
  }
}
