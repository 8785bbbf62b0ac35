/** A fixed number of turns, handed out first come, first served. */
export interface Turns {
  take(): Promise<void>;
  giveBack(): void;
}

export function createTurns(count: number): Turns {
  const waiting: (() => void)[] = [];
  let free = count;

  return {
    take() {
      if (free === 0) return new Promise((resolve) => waiting.push(resolve));
      free -= 1;
      return Promise.resolve();
    },
    giveBack() {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    },
  };
}
