import { atEndOfTurn, type Clock } from '../time/clock.ts';
import { neverRejects } from './background.ts';

/**
 * Combines items of a few turns of the event loop into one batch. Under load a turn is long and brings many items; with little load
 * turns are short, so that items do not wait.
 */
export interface Batcher<Item, Answer> {
  /** The answer is the same for the whole batch; `place` is the item's index in it. */
  add(item: Item): { readonly place: number; readonly answer: Promise<Answer> };
}

export function createBatcher<Item, Answer>({
  turns,
  most = Number.POSITIVE_INFINITY,
  work,
}: {
  turns: number;
  /** Batch size that starts it at once. */
  most?: number;
  work: (items: readonly Item[]) => Promise<Answer>;
}): Batcher<Item, Answer> {
  let current: { readonly items: Item[]; readonly answer: Promise<Answer>; flush(): void } | undefined;

  function begin(): NonNullable<typeof current> {
    const { promise: answer, resolve } = Promise.withResolvers<Answer>();
    const items: Item[] = [];
    let flushed = false;
    const batch = {
      items,
      answer,
      flush() {
        if (flushed) return;
        flushed = true;
        current = undefined;
        resolve(work(items));
      },
    };
    afterTurns(turns, batch.flush);
    return batch;
  }

  return {
    add(item) {
      current ??= begin();
      const { items, answer, flush } = current;
      const place = items.push(item) - 1;
      if (items.length >= most) flush();
      return { place, answer };
    },
  };
}

function afterTurns(count: number, action: () => void): void {
  atEndOfTurn(count === 1 ? action : () => afterTurns(count - 1, action));
}

/** Processes items one after the other. A failure does not stop the following ones; the first failure is thrown at the end. */
export async function eachInTurn<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
  stopping?: AbortSignal,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    if (stopping?.aborted) break;
    await work(item).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/** Limits concurrent work; further callers wait in order of arrival. */
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
    // Passes the permit directly to the next waiter, so that no other caller takes it.
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

/** Counts work in progress that is not awaited individually. */
export interface WaitGroup {
  add(work: Promise<unknown>): void;
  /** Resolves once no work is in progress, including work added in the meantime. */
  whenIdle(): Promise<void>;
}

export function createWaitGroup(): WaitGroup {
  let underWay = 0;
  let waiting: (() => void)[] = [];

  function end(): void {
    underWay -= 1;
    if (underWay > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  /** Rethrows an uncaught failure as an unhandled rejection. */
  function endBadly(error: unknown): never {
    end();
    throw error;
  }

  return {
    add(work) {
      underWay += 1;
      neverRejects(work.then(end, endBadly));
    },
    whenIdle: () => (underWay === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}

/** Counts what is in progress for each key, of which each may have a few at a time. */
export interface Places {
  /** Returns a function that frees the place; undefined while the key has as many as it may. */
  take(key: string): (() => void) | undefined;
  /** Keys with something in progress. */
  readonly size: number;
}

export function createPlaces(maxPerKey: number): Places {
  const taken = new Map<string, number>();
  return {
    take(key) {
      const others = taken.get(key) ?? 0;
      if (others >= maxPerKey) return undefined;
      taken.set(key, others + 1);
      return () => {
        const left = (taken.get(key) ?? 1) - 1;
        if (left > 0) taken.set(key, left);
        else taken.delete(key);
      };
    },
    get size() {
      return taken.size;
    },
  };
}

/** Settles as `work` does, or rejects with `late()` when the time limit ends first. A later outcome of `work` is ignored. */
export async function within<T>(
  clock: Pick<Clock, 'after'>,
  limitMs: number,
  work: Promise<T>,
  late: () => Error,
): Promise<T> {
  const { promise: limit, reject } = Promise.withResolvers<never>();
  const timer = clock.after(limitMs, () => reject(late()));
  try {
    return await Promise.race([work, limit]);
  } finally {
    timer.cancel();
  }
}

/** Waits for `work` up to the time limit; true when it ended in time. */
export async function waitAtMost(
  clock: Pick<Clock, 'after'>,
  limitMs: number,
  work: Promise<unknown>,
): Promise<boolean> {
  const { promise: limit, resolve } = Promise.withResolvers<false>();
  const timer = clock.after(limitMs, () => resolve(false));
  try {
    return await Promise.race([work.then(() => true), limit]);
  } finally {
    timer.cancel();
  }
}
