import { growingPause, type Random } from '#kernel';

/**
 * Keeps a receiver that fails from being asked in vain.
 *
 *   closed ──(10 failures in a row, or 70 % of at least 10 in 5 minutes)──▶ open until `probeAt`
 *   open ──(probeAt passes)──▶ one attempt, the probe ──(it succeeds)──▶ closed
 *                                             └──(it fails)──▶ open again, for longer
 *
 * What waits meanwhile is not charged an attempt.
 */
export interface Breaker {
  /** How many attempts may be under way at `now`, given how many a closed breaker lets through. */
  allowance(now: number, whenClosed: number): number;
  /** When the next probe may go; undefined while closed. */
  readonly probeAt: number | undefined;
  /** False when a new one would do as well. */
  remembers(now: number): boolean;
  succeeded(now: number): void;
  failed(now: number): void;
  /** Allows the next probe at once: a user reports that the receiver works again. */
  probeNow(now: number): void;
}

const FAILURES_IN_A_ROW = 10;
const FAILING_SHARE = 0.7;
const FAILING_SHARE_OF_AT_LEAST = 10;
const REMEMBERED_MS = 5 * 60_000;
const PROBE_PAUSE = { firstMs: 5_000, longestMs: 5 * 60_000, jitter: 0.1 };

export function createBreaker(random: Pick<Random, 'fraction'>): Breaker {
  const recent = createRecent();
  let failuresInARow = 0;
  let probeAt: number | undefined;
  let failedProbes = 0;

  function open(now: number): void {
    failedProbes++;
    probeAt = now + growingPause(PROBE_PAUSE, failedProbes, random);
  }

  return {
    allowance(now, whenClosed) {
      if (probeAt === undefined) return whenClosed;
      return now >= probeAt ? 1 : 0;
    },
    get probeAt() {
      return probeAt;
    },
    remembers: (now) => (probeAt ?? 0) > now || recent.sum(now).failed > 0,
    succeeded(now) {
      failuresInARow = 0;
      if (probeAt === undefined) {
        recent.count(now, true);
        return;
      }
      probeAt = undefined;
      failedProbes = 0;
      recent.forget();
    },
    failed(now) {
      failuresInARow++;
      recent.count(now, false);
      // Attempts that were under way when it opened do not make the pause longer.
      const justProbed = probeAt !== undefined && now >= probeAt;
      if (justProbed || (probeAt === undefined && isFailing(now))) open(now);
    },
    probeNow(now) {
      if (probeAt !== undefined) probeAt = now;
    },
  };

  function isFailing(now: number): boolean {
    const { all, failed } = recent.sum(now);
    return (
      failuresInARow >= FAILURES_IN_A_ROW ||
      (all >= FAILING_SHARE_OF_AT_LEAST && failed >= all * FAILING_SHARE)
    );
  }
}

const BUCKETS = 10;
const BUCKET_MS = REMEMBERED_MS / BUCKETS;

/** Counts of the last five minutes, in steps of half a minute. */
function createRecent() {
  let buckets: { step: number; all: number; failed: number }[] = [];

  return {
    count(now: number, ok: boolean): void {
      const step = Math.floor(now / BUCKET_MS);
      let bucket = buckets.at(-1);
      if (bucket?.step !== step) {
        bucket = { step, all: 0, failed: 0 };
        buckets = [...buckets.slice(1 - BUCKETS), bucket];
      }
      bucket.all++;
      if (!ok) bucket.failed++;
    },
    sum(now: number): { all: number; failed: number } {
      const oldest = Math.floor(now / BUCKET_MS) - BUCKETS;
      const sum = { all: 0, failed: 0 };
      for (const { step, all, failed } of buckets) {
        if (step <= oldest) continue;
        sum.all += all;
        sum.failed += failed;
      }
      return sum;
    },
    forget(): void {
      buckets = [];
    },
  };
}
