import type { Clock } from '#kernel';
import { isStoreError, type Store } from '#store';
import { type Settlement, settleDeliveries } from './settle.ts';

/** Writes down what became of deliveries. */
export interface Settler {
  /** Resolves when it is written, or it is too late: the delivery will then be tried again. */
  settle(settlement: Settlement): Promise<void>;
}

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
  return {
    async settle(settlement) {
      const giveUpAt = clock.monotonic() + GIVE_UP_MS;
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
