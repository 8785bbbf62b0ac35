import type { Bus } from '#bus';
import type { Clock } from '#kernel';

/** What was found under a key a moment ago, so that a send or a delivery does not cost a query. */
export interface Memory<Found> {
  /** From memory, else read. What is not there is looked for again each time. */
  recall(key: string, read: () => Promise<Found | undefined>): Promise<Found | undefined>;
  /** What stood under these keys has changed; the other processes are told. */
  changed(keys: readonly string[]): void;
  stop(): void;
}

/**
 * How long a change made by another process may go unnoticed when the bus loses the word of it. Names change seldom, and whoever asks by
 * an old one reaches no number but one of their own account.
 */
const REMEMBERED_MS = 60_000;
const REMEMBERED_MAX = 10_000;

export function createMemory<Found>(
  topic: string,
  { bus, machineClock }: { bus: Pick<Bus, 'publish' | 'subscribe'>; machineClock: Pick<Clock, 'monotonic'> },
): Memory<Found> {
  const known = new Map<string, { readonly found: Promise<Found | undefined>; readonly readAt: number }>();
  const forget = (keys: unknown): void => {
    for (const key of keys as readonly string[]) known.delete(key);
  };
  const changes = bus.subscribe(topic, forget);
  return {
    recall(key, read) {
      const last = known.get(key);
      if (last && machineClock.monotonic() - last.readAt < REMEMBERED_MS) return last.found;
      if (known.size >= REMEMBERED_MAX) known.clear();
      const drop = (): void => {
        if (known.get(key) === entry) known.delete(key);
      };
      const found = read().then(
        (value) => {
          if (value === undefined || value === null) drop();
          return value;
        },
        (error: unknown) => {
          drop();
          throw error;
        },
      );
      const entry = { found, readAt: machineClock.monotonic() };
      known.set(key, entry);
      return found;
    },
    changed(keys) {
      forget(keys);
      bus.publish(topic, keys);
    },
    stop: () => changes.stop(),
  };
}
