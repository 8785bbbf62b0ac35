import type { Clock } from '#kernel';
import type { Store } from '#store';
import { dayOf } from './counting/counts.ts';
import { numbersByState, refusalsSince } from './store.ts';

/** What the metrics tell of all numbers together. */
export function healthFigures({ store, clock }: { store: Pick<Store, 'read'>; clock: Pick<Clock, 'now'> }) {
  return {
    states: () => numbersByState(store),
    refusals: () => refusalsSince(store, dayOf(clock.now())),
  };
}
