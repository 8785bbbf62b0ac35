import type { Clock } from './clock.ts';

/** Settles as `work` does, or rejects with `late()` when the limit is over first. Whatever `work` does after that is ignored. */
export async function within<T>(
  clock: Pick<Clock, 'after'>,
  limitMs: number,
  work: Promise<T>,
  late: () => Error,
): Promise<T> {
  const { promise: limit, reject } = Promise.withResolvers<never>();
  const timer = clock.after(limitMs, () => reject(late()));
  try {
    return await Promise.race([work, limit]);
  } finally {
    timer.cancel();
  }
}

/** Waits for `work`, but not longer than the limit; true when it came to its end in time. */
export async function waitAtMost(
  clock: Pick<Clock, 'after'>,
  limitMs: number,
  work: Promise<unknown>,
): Promise<boolean> {
  const { promise: limit, resolve } = Promise.withResolvers<false>();
  const timer = clock.after(limitMs, () => resolve(false));
  try {
    return await Promise.race([work.then(() => true), limit]);
  } finally {
    timer.cancel();
  }
}
