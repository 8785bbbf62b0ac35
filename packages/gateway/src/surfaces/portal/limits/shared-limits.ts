import { type Clock, type RateLimit, takeOne } from '#kernel';
import type { Store } from '#platform/store';
import { deleteUnusedLimits, lockLimits, writeLimit } from '../limit-queries.ts';

/** A named rate limit that all processes share. */
export interface LimitCharge {
  readonly name: string;
  readonly limit: RateLimit;
}

export interface Limiter {
  /** Takes one of each limit, or none. Returns 0 on success, else the milliseconds until all of them have one. */
  take(draws: readonly LimitCharge[]): Promise<number>;
  /** Counts one more without refusing it, and returns the current count, at most the burst. */
  count(draw: LimitCharge): Promise<number>;
  /** Reverses a charge. */
  giveBack(draws: readonly LimitCharge[]): Promise<void>;
}

interface LimiterParts {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  /** Clock that the limits are measured by. Each limiter deletes only rows of its own clock. */
  readonly family: 'people' | 'sends';
}

export function createLimiter({ store, clock, family }: LimiterParts): Limiter {
  const rowOf = (name: string): string => `${family}/${name}`;
  const rowsOf = (draws: readonly LimitCharge[]): string[] => draws.map(({ name }) => rowOf(name));

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
        // A full limit needs no row, so the table holds only recently used ones.
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
