import type { Clock } from '#kernel';
import type { Store } from '#store';
import { undeliveredEvents } from '#webhooks';
import { dropOldQuarantine } from './quarantine.ts';
import { dropEvents, expiredEvents, keepEvents } from './store.ts';

/** Drops events from the log when their time is over, in small steps. Those that are still to be delivered stay. */
export interface EventRetention {
  /** Drops all that can go now. */
  dropExpired(): Promise<void>;
  start(): void;
  /** Finishes the step under way. */
  stop(): Promise<void>;
}

const STEP = 500;
const EVERY_MS = 60_000;
const ASK_AGAIN_AFTER_MS = 24 * 60 * 60_000;

export function createEventRetention({
  store,
  clock,
  log,
}: {
  store: Store;
  clock: Clock;
  log: { warn(details: object, message: string): void };
}): EventRetention {
  const stopping = new AbortController();
  let working = Promise.resolve();

  /** Answers how many events it has dealt with. */
  async function step(): Promise<number> {
    const now = clock.now();
    const expired = await expiredEvents(store, now, STEP);
    for (const [accountId, events] of Map.groupBy(expired, ({ account_id }) => account_id)) {
      const seqs = events.map(({ seq }) => seq);
      const needed = await undeliveredEvents(store.read, accountId, Math.max(...seqs));
      await store.transaction(async (trx) => {
        await dropEvents(
          trx,
          seqs.filter((seq) => !needed.has(seq)),
        );
        await keepEvents(
          trx,
          seqs.filter((seq) => needed.has(seq)),
          now + ASK_AGAIN_AFTER_MS,
        );
      });
    }
    return expired.length;
  }

  async function dropExpired(): Promise<void> {
    while (!stopping.signal.aborted && (await step()) === STEP);
    await dropOldQuarantine(store, clock.now());
  }

  async function keepDropping(): Promise<void> {
    for (;;) {
      working = dropExpired().catch((error) =>
        log.warn({ err: error }, 'could not drop old events from the log'),
      );
      await working;
      await clock.sleep(EVERY_MS, stopping.signal);
    }
  }

  return {
    dropExpired,
    start() {
      // Ends when it is told to stop.
      keepDropping().catch(() => {});
    },
    async stop() {
      stopping.abort();
      await working;
    },
  };
}
