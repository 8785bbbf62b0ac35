import { performance } from 'node:perf_hooks';
import type { Clock, Timer } from '#kernel';

/**
 * Limits concurrent logins, after an outage of the network or a start. A login takes some 20 ms of the thread
 * that hosts the number; hundreds at once would delay everything else on that thread: requests, messages,
 * leases.
 */
export interface LoginQueue {
  /**
   * Calls `begin` in turn. Returns undefined when it was called at once, otherwise a timer whose `cancel` leaves
   * the queue.
   */
  enter(begin: () => void): Timer | undefined;
}

interface LoginQueueParts {
  /** The machine's clock, because the queue protects its processor. */
  readonly clock: Clock;
  /** Whether the event loop was almost fully busy since the last call. */
  readonly isBusy?: () => boolean;
}

/** Logins that start without waiting, so that a handful of numbers never queues. */
const AT_ONCE = 8;
const NEXT_AFTER_MS = 20;
/** Leaves half of the thread to other work. */
const NEXT_AFTER_WHILE_BUSY_MS = 40;
const BUSY = 0.8;

export function createLoginQueue({ clock, isBusy = watchEventLoop() }: LoginQueueParts): LoginQueue {
  const waiting = new Set<() => void>();
  let free = AT_ONCE;
  let lastAt = 0;
  let isLooking = false;

  function keepLooking(): void {
    if (isLooking || free === AT_ONCE) return;
    isLooking = true;
    clock.after(NEXT_AFTER_MS, next);
  }

  function next(): void {
    isLooking = false;
    const now = clock.monotonic();
    if (!isBusy() || now - lastAt >= NEXT_AFTER_WHILE_BUSY_MS) {
      lastAt = now;
      const [first] = waiting;
      if (first) waiting.delete(first);
      else free += 1;
      first?.();
    }
    keepLooking();
  }

  return {
    enter(begin) {
      if (free === 0) {
        waiting.add(begin);
        return { cancel: () => waiting.delete(begin) };
      }
      free -= 1;
      keepLooking();
      begin();
      return undefined;
    },
  };
}

function watchEventLoop(): () => boolean {
  let before = performance.eventLoopUtilization();
  return () => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    return utilization >= BUSY;
  };
}
