import type { Clock } from '#kernel';
import type { Store } from '#platform/store';
import type { Lane } from './lane.ts';
import { claimLane, releaseLane } from './write-commands.ts';

/** Takes and keeps lanes for this process. */
export interface LeaseManager {
  /** Long enough for an attempt from beginning to end. */
  holds(lane: Lane, now: number): boolean;
  /** Due for another turn, though it may still hold. */
  shouldAsk(lane: Lane, now: number): boolean;
  ask(lane: Lane): Promise<void>;
  release(lane: Lane): Promise<void>;
}

const LEASE_MS = 30_000;
/** An attempt takes up to ten seconds; no other process may begin one meanwhile. */
const LONGEST_ATTEMPT_MS = 12_000;
const RENEW_BEFORE_MS = 20_000;
/** A process that stops in order gives its lanes back: they are asked for before their time is over. */
const ASK_AGAIN_MS = 5_000;

export function createLeaseManager({
  store,
  clock,
  claimedBy,
}: {
  store: Pick<Store, 'run'>;
  clock: Pick<Clock, 'now'>;
  claimedBy: string;
}): LeaseManager {
  return {
    holds: (lane, now) => lane.leasedUntil - now >= LONGEST_ATTEMPT_MS,

    shouldAsk: (lane, now) =>
      !lane.leasing && lane.leasedUntil - now < RENEW_BEFORE_MS && lane.askAgainAt <= now,

    async ask(lane) {
      const { accountId, url } = lane;
      const now = clock.now();
      lane.leasing = true;
      try {
        const claim = { accountId, url, claimedBy, now, until: now + LEASE_MS };
        const { mine, until, failingSince } = await store.run(claimLane, claim);
        // Only the holder of the lease writes the state of its receiver.
        if (mine && lane.leasedUntil <= now) lane.failing.adopt(failingSince);
        if (mine) lane.leasedUntil = until;
        else lane.askAgainAt = Math.min(until, now + ASK_AGAIN_MS);
      } finally {
        lane.leasing = false;
      }
    },

    async release(lane) {
      if (lane.leasedUntil === Number.NEGATIVE_INFINITY) return;
      lane.leasedUntil = Number.NEGATIVE_INFINITY;
      await store.run(releaseLane, { accountId: lane.accountId, url: lane.url, claimedBy });
    },
  };
}
