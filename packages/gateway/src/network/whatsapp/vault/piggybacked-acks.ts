import type { Clock, Timer } from '#kernel';

/** Processed arrivals that wait for a commit. */
interface AckBatch {
  readonly digests: string[];
  readonly committed: PromiseWithResolvers<void>;
  readonly timer: Timer;
}

/**
 * Acknowledges processed arrivals together with the next commit of their link, and with a commit of their own
 * only when none follows soon. A crash before costs nothing: an arrival that comes again has the same id and is
 * recognized. Without it each message would take a second commit.
 */
export interface PiggybackedAcks {
  /** Resolves when they are committed. */
  add(digests: readonly string[]): Promise<void>;
  readonly size: number;
  /** Takes all pending digests for a commit, whose caller settles `committed`. */
  attach(): AckBatch | undefined;
}

const PATIENCE_MS = 5_000;

export function createPiggybackedAcks(clock: Pick<Clock, 'after'>, leave: () => void): PiggybackedAcks {
  let waiting: AckBatch | undefined;
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
    attach() {
      const riding = waiting;
      waiting = undefined;
      riding?.timer.cancel();
      return riding;
    },
  };
}
