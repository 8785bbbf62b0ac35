import { TimerHeap } from './timer-heap.ts';

/** A point in the gateway's sense of time. All of the gateway asks this and never the machine. */
export interface Clock {
  /** Wall time, epoch milliseconds. */
  now(): number;
  /** Milliseconds that only grow, for measuring durations; unrelated to wall time. */
  monotonic(): number;
  /** Calls `action` once, `delayMs` from now. Does not keep the process alive. */
  after(delayMs: number, action: () => void): Timer;
  /** Resolves after `delayMs`; rejects at once when `signal` aborts. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export interface Timer {
  cancel(): void;
}

/** A clock that can be moved forward: the sandbox's time travel. Timers that fall due on the way fire in their order. */
export interface TravelClock extends Clock {
  advance(ms: number): void;
}

/** Runs at the machine's pace. */
export function createSystemClock(): TravelClock {
  return new TimerClock(machineTime);
}

/** Stands still until a test moves it. */
export function createSteppedClock(startMs = Date.UTC(2026, 0, 1)): TravelClock {
  return new TimerClock({ now: () => startMs, monotonic: () => 0, wake: () => () => {} });
}

/** What ticks underneath: the machine, or nothing at all. */
interface TimeSource {
  now(): number;
  monotonic(): number;
  /** Asks to be woken in `delayMs` of its own time; the answer takes the request back. */
  wake(delayMs: number, action: () => void): () => void;
}

/** Calls `action` when all that this turn of the event loop has brought in is dealt with. No time passes: it may be called with any clock. */
export function atEndOfTurn(action: () => void): void {
  setImmediate(action);
}

const LONGEST_MACHINE_TIMER_MS = 0x7fff_ffff;

const machineTime: TimeSource = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  wake(delayMs, action) {
    const handle = setTimeout(action, Math.min(Math.max(delayMs, 0), LONGEST_MACHINE_TIMER_MS));
    handle.unref();
    return () => clearTimeout(handle);
  },
};

class TimerClock implements TravelClock {
  readonly #source: TimeSource;
  readonly #pending = new TimerHeap();
  #travelled = 0;
  #takeBackWake: (() => void) | undefined;
  #wakeDue = Number.POSITIVE_INFINITY;

  constructor(source: TimeSource) {
    this.#source = source;
  }

  now(): number {
    // What was travelled is measured finer than wall time is told; databases take whole milliseconds.
    return Math.floor(this.#source.now() + this.#travelled);
  }

  monotonic(): number {
    return this.#source.monotonic() + this.#travelled;
  }

  after(delayMs: number, action: () => void): Timer {
    const timer = this.#pending.add(this.monotonic() + Math.max(delayMs, 0), action);
    this.#arm();
    return { cancel: () => this.#pending.cancel(timer) };
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = (): void => {
        timer.cancel();
        reject(signal?.reason);
      };
      const timer = this.after(delayMs, () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      });
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Steps from one due timer to the next, so that each of them sees the time that it asked for. */
  advance(ms: number): void {
    const target = this.monotonic() + ms;
    for (let due = this.#pending.nextDue; due <= target; due = this.#pending.nextDue) {
      this.#travelled += Math.max(due - this.monotonic(), 0);
      this.#pending.take()?.();
    }
    this.#travelled += Math.max(target - this.monotonic(), 0);
    this.#arm();
  }

  #arm(): void {
    const due = this.#pending.nextDue;
    if (due === Number.POSITIVE_INFINITY || due === this.#wakeDue) return;
    this.#takeBackWake?.();
    this.#wakeDue = due;
    this.#takeBackWake = this.#source.wake(due - this.monotonic(), () => {
      this.#wakeDue = Number.POSITIVE_INFINITY;
      this.#fireDue();
    });
  }

  #fireDue(): void {
    const now = this.monotonic();
    while (this.#pending.nextDue <= now) this.#pending.take()?.();
    this.#arm();
  }
}
