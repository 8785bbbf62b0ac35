import type { OwnedNumber } from '#platform/http';
import type { Store } from '#platform/store';
import { isLinked, keepLink } from './session-queries.ts';

export interface Adopted {
  readonly number: OwnedNumber;
  readonly linkId: string;
  readonly sessionId: string;
  readonly lid: string | null;
  readonly at: number;
}

/**
 * Gives a number a link that was made elsewhere; any worker with free slots hosts it next. False when the number is
 * linked here already.
 */
export function adoptSession(store: Store, { number, ...link }: Adopted): Promise<boolean> {
  return store.transaction(async (trx) => {
    if (await isLinked(trx, number.slotId)) return false;
    await keepLink(trx, { number, ...link, worker: null });
    return true;
  });
}
