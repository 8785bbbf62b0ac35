import { performance } from 'node:perf_hooks';
import type { Clock, Timer } from '#kernel';

/**
 * Lets numbers log in one after the other when many want to at once: after the network was away, or a start. A login takes some 20 ms of the
 * thread that hosts the number, and hundreds of them together would keep everybody else waiting who needs that thread: requests, messages,
 * leases.
 */
export interface LoginQueue {
  /** Calls `begin` when it is its turn. Without an answer it was called already; otherwise the answer gives the turn up. */
  enter(begin: () => void): Timer | undefined;
}

interface LoginQueueParts {
  /** Of the machine: this is about its processor. */
  readonly clock: Clock;
  /** Whether the event loop had next to no rest since this was last asked. */
  readonly isBusy?: () => boolean;
}

/** So many do not wait: nobody with a handful of numbers notices the queue. */
const AT_ONCE = 8;
const NEXT_AFTER_MS = 20;
/** Half of the thread is left to those who have work for it. */
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
