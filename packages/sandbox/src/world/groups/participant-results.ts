import { type PhoneStore, personOf } from '../people/phones.ts';
import type { ParticipantResult, Person } from '../types.ts';

interface AppliedAction {
  /** One per address, in order. */
  results: ParticipantResult[];
  /** The people for whom it was carried out. */
  changed: Person[];
}

/** Applies an action to each address; a refusal for one does not stop the others. */
export function applyToEach(
  phones: PhoneStore,
  addresses: readonly string[],
  apply: (person: Person) => ParticipantResult['outcome'],
): AppliedAction {
  const results = addresses.map((address): ParticipantResult => {
    const found = phones.find(address);
    if (!found) return { jid: address, person: undefined, outcome: 'not_registered' };
    const person = personOf(found);
    return { jid: address, person, outcome: apply(person) };
  });
  const changed = results.flatMap(({ person, outcome }) => (person && outcome === 'ok' ? [person] : []));
  return { results, changed };
}
