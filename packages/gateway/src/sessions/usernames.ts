import type { WrittenUsername } from '@parley/contract';
import { apiError, apiErrorFrom } from '#kernel';
import { type FoundByUsername, NetworkError } from '#network';
import type { OwnedNumber } from '#platform/http';
import type { GetHost } from './types.ts';

type FoundPerson = Extract<FoundByUsername, { kind: 'found' }>;

/** Resolves a username; each refusal is one sentence. */
export async function findByUsername(
  getHost: GetHost,
  number: OwnedNumber,
  written: WrittenUsername,
): Promise<FoundPerson> {
  const found = await lookUpUsername(getHost, number, written);
  if (found === undefined) throw apiError('username_not_found');
  if (found.kind === 'guarded') throw apiError(found.given ? 'username_key_wrong' : 'username_key_required');
  return found;
}

/** Undefined when no number has this username. */
export async function lookUpUsername(
  getHost: GetHost,
  number: OwnedNumber,
  { username, key }: WrittenUsername,
): Promise<FoundByUsername | undefined> {
  try {
    const { contacts } = getHost(number);
    // An absent key must not travel as null.
    return await (key === undefined
      ? contacts.findByUsername(username)
      : contacts.findByUsername(username, key));
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    if (error.kind === 'not_found') return undefined;
    throw apiErrorFrom(error, error.kind === 'refused' ? 'network_forbids' : 'network_rejects');
  }
}
