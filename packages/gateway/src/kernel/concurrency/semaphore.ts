/** Lets only so many work at once; the others wait in the order in which they came. */
export interface Semaphore {
  acquire(): Promise<void>;
  release(): void;
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createSemaphore(permits: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = permits;

  function acquire(): Promise<void> {
    if (free === 0) return new Promise((resolve) => waiting.push(resolve));
    free -= 1;
    return Promise.resolve();
  }

  function release(): void {
    // Whoever waits gets this very permit, so that nobody slips in between.
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }

  async function run<T>(work: () => Promise<T>): Promise<T> {
    if (free > 0) free -= 1;
    else await acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }

  return { acquire, release, run };
}
