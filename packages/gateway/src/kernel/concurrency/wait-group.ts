import { neverRejects } from './background.ts';
/** Counts work under way, of which nobody waits for a single piece. */
export interface WaitGroup {
  add(work: Promise<unknown>): void;
  /** Resolves once nothing is under way, what is added meanwhile included. */
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

  /** A failure that nobody has caught stays one, and is heard of. */
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
