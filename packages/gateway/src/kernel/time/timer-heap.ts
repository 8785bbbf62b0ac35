/** A binary heap of actions by due time; equal times keep the order in which they were added. */
export class TimerHeap {
  #heap: HeapTimer[] = [];
  #made = 0;
  #cancelled = 0;

  /** Infinity when nothing waits. */
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

  /** Takes the earliest action out. */
  take(): (() => void) | undefined {
    this.#dropCancelledTop();
    const top = this.#heap[0];
    if (!top) return undefined;
    this.#dropTop();
    const action = top.action;
    top.action = undefined;
    return action;
  }

  /** Cancelled timers stay until their turn, unless they come to outnumber the living. */
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

export interface HeapTimer {
  readonly due: number;
  readonly order: number;
  /** Gone once it was taken or cancelled. */
  action: (() => void) | undefined;
}

function earlier(a: HeapTimer, b: HeapTimer): boolean {
  return a.due < b.due || (a.due === b.due && a.order < b.order);
}
