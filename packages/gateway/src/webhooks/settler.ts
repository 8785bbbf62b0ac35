import { type Clock, createBatcher } from '#kernel';
import { isStoreError, type Store } from '#store';
import { type Settlement, settleDeliveries } from './settle.ts';

/** Writes down what became of deliveries. */
export interface Settler {
  /** Resolves when it is written, or it is too late: the delivery will then be tried again. */
  settle(settlement: Settlement): Promise<void>;
}

/** Commits that follow each other closely write the same pages again and again. What is not written when the process dies is sent again. */
const TURNS_TOGETHER = 8;
const RETRY_MS = 500;
const GIVE_UP_MS = 30_000;

export function createSettler({
  store,
  clock,
  log,
}: {
  store: Pick<Store, 'run'>;
  clock: Clock;
  log: { warn(details: object, message: string): void };
}): Settler {
  const batcher = createBatcher({ turns: TURNS_TOGETHER, work: writeTogether });

  async function writeTogether(settlements: readonly Settlement[]): Promise<void> {
    try {
      await store.run(settleDeliveries, settlements);
    } catch {
      // So that one that cannot be written does not keep the others from it.
      await Promise.all(settlements.map(insist));
    }
  }

  async function insist(settlement: Settlement): Promise<void> {
    const giveUpAt = clock.monotonic() + GIVE_UP_MS;
    for (;;) {
      try {
        await store.run(settleDeliveries, [settlement]);
        return;
      } catch (error) {
        if (isStoreError(error, 'closed') || clock.monotonic() >= giveUpAt) {
          log.warn({ err: error }, 'the outcome of a delivery could not be stored; it will be sent again');
          return;
        }
      }
      await clock.sleep(RETRY_MS);
    }
  }

  return { settle: (settlement) => batcher.add(settlement).answer };
}
