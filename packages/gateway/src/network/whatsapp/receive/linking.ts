import type { Clock } from '#kernel';
import type { ContactLinkedEvent } from '../../events.ts';
import { lidJid, phoneJid } from '../convert/index.ts';
import type { Change, Vault } from '../vault/index.ts';
import { GOES_BY_LID, MAPPING, REVERSE } from './people.ts';

/** What tells, of a change, whether it brings somebody's two addresses together. */
export const LINKING_KINDS: ReadonlySet<string> = new Set([MAPPING, GOES_BY_LID]);

/**
 * Whose number becomes known by a change, of those who go by the address that hides it. However it came to be known, it passes the vault; told
 * in the same transaction, it is told exactly once. Changes of these kinds come one after the other, so that neither half is missed.
 */
export async function linkedBy(
  { puts = [] }: Change,
  read: Vault['read'],
  clock: Pick<Clock, 'now'>,
): Promise<readonly ContactLinkedEvent[]> {
  const numbers = new Map(
    puts.flatMap(({ kind, id, value }) =>
      kind === MAPPING && id.endsWith(REVERSE) && typeof value === 'string'
        ? [[id.slice(0, -REVERSE.length), value] as const]
        : [],
    ),
  );
  const named = puts.filter(({ kind }) => kind === GOES_BY_LID).map(({ id }) => id);
  const lids = [...new Set([...numbers.keys(), ...named])];
  const [known, goBy] = await Promise.all([
    read(
      MAPPING,
      lids.map((lid) => `${lid}${REVERSE}`),
    ),
    read(GOES_BY_LID, lids),
  ]);
  const timestamp = Math.floor(clock.now() / 1_000);
  return lids.flatMap((lid) => {
    const before = known.get(`${lid}${REVERSE}`);
    const number = numbers.get(lid) ?? before;
    const isNews = goBy.has(lid) ? number !== before : named.includes(lid);
    if (typeof number !== 'string' || !isNews) return [];
    const [jid, hidden] = [phoneJid(number), lidJid(lid)];
    return [
      { kind: 'contact_linked', id: `contact_linked/${hidden}/${jid}`, timestamp, lid: hidden, jid } as const,
    ];
  });
}
