import { type Clock, createBatcher } from '#kernel';
import { isStoreError, type Store, StoreError } from '#platform/store';
import { type DeliveryResult, writeResults } from './write-commands.ts';

/** Writes the outcomes of deliveries. */
export interface ResultWriter {
  /** Resolves when it is written, or it is too late: the delivery will then be tried again. */
  write(result: DeliveryResult): Promise<void>;
}

/** Commits that follow each other closely write the same pages again and again. What is not written when the process dies is sent again. */
const TURNS_TOGETHER = 8;
const RETRY_MS = 500;
const GIVE_UP_MS = 30_000;

export function createResultWriter({
  store,
  clock,
  log,
}: {
  store: Pick<Store, 'run'>;
  clock: Clock;
  log: { warn(details: object, message: string): void };
}): ResultWriter {
  const batcher = createBatcher({ turns: TURNS_TOGETHER, work: writeTogether });

  async function writeTogether(results: readonly DeliveryResult[]): Promise<void> {
    try {
      await store.run(writeResults, results);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      // So that one that cannot be written does not keep the others from it.
      await Promise.all(results.map(insist));
    }
  }

  async function insist(result: DeliveryResult): Promise<void> {
    const giveUpAt = clock.monotonic() + GIVE_UP_MS;
    for (;;) {
      try {
        await store.run(writeResults, [result]);
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

  return { write: (result) => batcher.add(result).answer };
}
