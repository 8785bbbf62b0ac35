/** Lets only so many through at once; the others wait in the order in which they came. */
export interface Gate {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createGate(places: number): Gate {
  const waiting: (() => void)[] = [];
  let free = places;

  return {
    async run(work) {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        // Whoever waits gets this very place, so that nobody slips in between.
        const next = waiting.shift();
        if (next) next();
        else free++;
      }
    },
  };
}
