import type { Clock, Ids, Random } from '#kernel';
import type { Store } from '#store';

/** What every use case of this room needs. */
export interface AccountsContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
}
