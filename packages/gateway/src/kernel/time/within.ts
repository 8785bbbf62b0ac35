import type { Clock } from './clock.ts';

/** Settles as `work` does, or rejects with `late()` when the time limit ends first. A later outcome of `work` is ignored. */
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

/** Waits for `work` up to the time limit; true when it ended in time. */
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
