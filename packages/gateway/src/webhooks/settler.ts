import type { Clock } from '#kernel';
import { isStoreError, type Store } from '#store';
import { type Settlement, settleDeliveries } from './settle.ts';
import { CLAIM_MS } from './window.ts';

/** Writes down what became of deliveries. */
export interface Settler {
  /** Resolves when it is written, or nobody will believe it any more because the claim has run out. */
  settle(settlement: Settlement): Promise<void>;
}

const RETRY_MS = 500;

export function createSettler({
  store,
  clock,
  log,
}: {
  store: Pick<Store, 'run'>;
  clock: Clock;
  log: { warn(details: object, message: string): void };
}): Settler {
  return {
    async settle(settlement) {
      const giveUpAt = clock.monotonic() + CLAIM_MS;
      for (;;) {
        try {
          await store.run(settleDeliveries, settlement);
          return;
        } catch (error) {
          if (isStoreError(error, 'closed') || clock.monotonic() >= giveUpAt) {
            log.warn({ err: error }, 'the outcome of a delivery could not be stored; it will be sent again');
            return;
          }
        }
        await clock.sleep(RETRY_MS);
      }
    },
  };
}
