import type { Clock } from '#kernel';

/** Settles as `work` does, or rejects with `late()` when the limit is over first. Whatever `work` does after that is ignored. */
export async function withinTime<T>(
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
