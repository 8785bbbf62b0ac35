import { type Clock, type RateLimit, takeOne } from '#kernel';
import type { Store } from '#store';
import { deleteUnusedLimits, lockLimits, writeLimit } from '../store.ts';

/** Something that may happen only so often, whichever process is asked. */
export interface Draw {
  readonly name: string;
  readonly limit: RateLimit;
}

export interface Limiter {
  /** Takes one of each, or none: 0 when it was taken, else how many milliseconds until all of them have one. */
  take(draws: readonly Draw[]): Promise<number>;
  /** Counts one more, which is refused never, and answers how many there are by now; no more than the burst. */
  count(draw: Draw): Promise<number>;
  /** For what turned out not to count. */
  giveBack(draws: readonly Draw[]): Promise<void>;
}

interface LimiterParts {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  /** One for each clock: a limiter takes no limit for whole again that another clock measures. */
  readonly family: 'people' | 'sends';
}

export function createLimiter({ store, clock, family }: LimiterParts): Limiter {
  const rowOf = (name: string): string => `${family}/${name}`;
  const rowsOf = (draws: readonly Draw[]): string[] => draws.map(({ name }) => rowOf(name));

  return {
    take: (draws) =>
      store.transaction(async (trx) => {
        const now = clock.now();
        const used = await lockLimits(store, trx, rowsOf(draws));
        const verdicts = draws.map(({ name, limit }) => ({
          name,
          ...takeOne(limit, used.get(rowOf(name)) ?? 0, now),
        }));
        const wait = Math.max(...verdicts.map(({ retryAfterMs }) => retryAfterMs));
        if (wait > 0) return wait;
        // What is whole again needs no row: the table is as large as what was used lately.
        await deleteUnusedLimits(trx, family, now);
        for (const { name, fullAt } of verdicts) await writeLimit(trx, rowOf(name), fullAt);
        return 0;
      }),

    count: ({ name, limit: { intervalMs, burst } }) =>
      store.transaction(async (trx) => {
        const now = clock.now();
        const used = await lockLimits(store, trx, [rowOf(name)]);
        const fullAt = Math.min(
          Math.max(used.get(rowOf(name)) ?? 0, now) + intervalMs,
          now + intervalMs * burst,
        );
        await writeLimit(trx, rowOf(name), fullAt);
        return Math.ceil((fullAt - now) / intervalMs);
      }),

    giveBack: (draws) =>
      store.transaction(async (trx) => {
        const used = await lockLimits(store, trx, rowsOf(draws));
        for (const { name, limit } of draws) {
          const fullAt = used.get(rowOf(name));
          if (fullAt !== undefined) await writeLimit(trx, rowOf(name), fullAt - limit.intervalMs);
        }
      }),
  };
}
