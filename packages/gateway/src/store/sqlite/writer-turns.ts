/**
 * Who may use the writer: one transaction alone, or several batches, which the thread then writes one after the other without waiting
 * for anybody. First come, first served: a batch joins those under way only while nobody waits, so that no transaction waits for ever.
 */
interface WriterTurns {
  takeAlone(): Promise<void>;
  takeWithOthers(): Promise<void>;
  giveBack(): void;
}

interface Waiting {
  readonly alone: boolean;
  readonly start: () => void;
}

export function createWriterTurns(): WriterTurns {
  const waiting: Waiting[] = [];
  let underWay = 0;
  let aloneUnderWay = false;

  function mayStart(alone: boolean): boolean {
    return underWay === 0 || !(alone || aloneUnderWay);
  }

  function begin(alone: boolean): void {
    underWay += 1;
    aloneUnderWay = alone;
  }

  function take(alone: boolean): Promise<void> {
    if (waiting.length > 0 || !mayStart(alone)) {
      return new Promise((resolve) => waiting.push({ alone, start: resolve }));
    }
    begin(alone);
    return Promise.resolve();
  }

  return {
    takeAlone: () => take(true),
    takeWithOthers: () => take(false),
    giveBack() {
      underWay -= 1;
      for (let next = waiting[0]; next && mayStart(next.alone); next = waiting[0]) {
        waiting.shift();
        begin(next.alone);
        next.start();
      }
    },
  };
}
