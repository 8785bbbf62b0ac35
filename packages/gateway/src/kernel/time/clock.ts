export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Time source of the gateway. All code uses this, never the machine's clock. */
export interface Clock {
  /** Wall time, epoch milliseconds. */
  now(): number;
  /** Monotonic milliseconds for measuring durations; unrelated to wall time. */
  monotonic(): number;
  /** Calls `action` once, `delayMs` from now. Does not keep the process alive. */
  after(delayMs: number, action: () => void): Timer;
  /** Resolves after `delayMs`; rejects at once when `signal` aborts. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export interface Timer {
  cancel(): void;
}

/** A clock that can be moved forward: the sandbox's time travel. Timers due on the way fire in order. */
export interface TravelClock extends Clock {
  advance(ms: number): void;
}

/** Runs on the machine's clock. */
export function createSystemClock(): TravelClock {
  return new TimerClock(machineTime);
}

/** Stands still until a test moves it. */
export function createSteppedClock(startMs = Date.UTC(2026, 0, 1)): TravelClock {
  return new TimerClock({ now: () => startMs, monotonic: () => 0, wake: () => () => {} });
}

/** The underlying time: the machine's, or a fixed one. */
interface TimeSource {
  now(): number;
  monotonic(): number;
  /** Schedules `action` in `delayMs` of its own time; returns a function that cancels it. */
  wake(delayMs: number, action: () => void): () => void;
}

/** Calls `action` after everything in this turn of the event loop is handled. No time passes, so it works with any clock. */
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
    // Travelled time is finer than a millisecond; databases take whole milliseconds.
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

  /** Steps from one due timer to the next, so that each of them sees its own due time. */
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

/** A binary heap of actions by due time; equal times keep their insertion order. */
class TimerHeap {
  #heap: HeapTimer[] = [];
  #made = 0;
  #cancelled = 0;

  /** Infinity when it is empty. */
  get nextDue(): number {
    this.#dropCancelledTop();
    return this.#heap[0]?.due ?? Number.POSITIVE_INFINITY;
  }

  add(due: number, action: () => void): HeapTimer {
    const timer: HeapTimer = { due, order: this.#made++, action };
    this.#heap.push(timer);
    this.#rise(this.#heap.length - 1);
    return timer;
  }

  /** Removes and returns the earliest action. */
  take(): (() => void) | undefined {
    this.#dropCancelledTop();
    const top = this.#heap[0];
    if (!top) return undefined;
    this.#dropTop();
    const action = top.action;
    top.action = undefined;
    return action;
  }

  /** Cancelled timers stay until their turn, unless they outnumber the active ones. */
  cancel(timer: HeapTimer): void {
    if (!timer.action) return;
    timer.action = undefined;
    this.#cancelled++;
    if (this.#cancelled > 1_000 && this.#cancelled * 2 > this.#heap.length) this.#sweep();
  }

  #sweep(): void {
    // A sorted array is a heap.
    this.#heap = this.#heap.filter((timer) => timer.action).sort((a, b) => (earlier(a, b) ? -1 : 1));
    this.#cancelled = 0;
  }

  #dropCancelledTop(): void {
    while (this.#heap[0] && !this.#heap[0].action) {
      this.#dropTop();
      this.#cancelled--;
    }
  }

  #dropTop(): void {
    const last = this.#heap.pop();
    if (last && this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink(0);
    }
  }

  #rise(from: number): void {
    for (let i = from; i > 0; ) {
      const parent = (i - 1) >> 1;
      if (!this.#swapIfEarlier(i, parent)) return;
      i = parent;
    }
  }

  #sink(from: number): void {
    for (let i = from; ; ) {
      const left = 2 * i + 1;
      const leftWins = !this.#earlierAt(left + 1, left);
      const child = leftWins ? left : left + 1;
      if (!this.#swapIfEarlier(child, i)) return;
      i = child;
    }
  }

  #earlierAt(a: number, b: number): boolean {
    const first = this.#heap[a];
    const second = this.#heap[b];
    return first !== undefined && second !== undefined && earlier(first, second);
  }

  #swapIfEarlier(a: number, b: number): boolean {
    const first = this.#heap[a];
    const second = this.#heap[b];
    if (!first || !second || !earlier(first, second)) return false;
    this.#heap[a] = second;
    this.#heap[b] = first;
    return true;
  }
}

interface HeapTimer {
  readonly due: number;
  readonly order: number;
  /** Undefined once taken or cancelled. */
  action: (() => void) | undefined;
}

function earlier(a: HeapTimer, b: HeapTimer): boolean {
  return a.due < b.due || (a.due === b.due && a.order < b.order);
}
