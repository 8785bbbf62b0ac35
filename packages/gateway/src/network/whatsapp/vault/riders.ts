import type { Clock, Timer } from '#kernel';

/** Arrivals that were taken, and wait for a commit to take them along. */
interface Riding {
  readonly digests: string[];
  readonly committed: PromiseWithResolvers<void>;
  readonly timer: Timer;
}

/**
 * That an arrival was taken is in no hurry: what is offered again after a crash has the same id and is known. By itself it would be a commit
 * for every message; so it rides along with the next one of its link, and goes alone only where none comes soon.
 */
export interface Riders {
  /** Resolves when they are committed. */
  add(digests: readonly string[]): Promise<void>;
  readonly size: number;
  /** All that wait, for whoever commits now and says how that went. */
  board(): Riding | undefined;
}

const PATIENCE_MS = 5_000;

export function createRiders(clock: Pick<Clock, 'after'>, leave: () => void): Riders {
  let waiting: Riding | undefined;
  return {
    get size() {
      return waiting?.digests.length ?? 0;
    },
    add(digests) {
      waiting ??= {
        digests: [],
        committed: Promise.withResolvers(),
        timer: clock.after(PATIENCE_MS, leave),
      };
      waiting.digests.push(...digests);
      return waiting.committed.promise;
    },
    board() {
      const riding = waiting;
      waiting = undefined;
      riding?.timer.cancel();
      return riding;
    },
  };
}
