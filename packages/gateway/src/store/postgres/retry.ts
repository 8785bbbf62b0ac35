import type { Clock } from '#kernel';
import { isStoreError } from '../errors.ts';

const PAUSES_MS = [25, 100, 400, 1_000];
/** Covers a restart of the server or a change to its standby; whoever waits for longer is better told. */
const LONGEST_MS = 2_000;

export type Retry = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Does work again that has written nothing and may succeed the next time: it lost against another transaction, or its connection broke
 * before the commit. Never work whose commit has an unknown outcome.
 */
export function createRetry(clock: Pick<Clock, 'sleep' | 'monotonic'>): Retry {
  return async (work) => {
    const begunAt = clock.monotonic();
    for (const pauseMs of PAUSES_MS) {
      try {
        return await work();
      } catch (error) {
        if (!maySucceedNextTime(error, clock.monotonic() - begunAt)) throw error;
        await clock.sleep(pauseMs);
      }
    }
    return work();
  };
}

/**
 * PostgreSQL takes its time to find out that two wait for each other; whoever lost against another is never to blame. A server that takes no
 * writes may have become the standby of another, which the next connection leads to.
 */
function maySucceedNextTime(error: unknown, tookMs: number): boolean {
  if (isStoreError(error, 'conflict')) return true;
  const isLost = isStoreError(error, 'unreachable') || isStoreError(error, 'read_only');
  return isLost && tookMs < LONGEST_MS;
}
