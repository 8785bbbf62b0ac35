import { atEndOfTurn } from '../time/clock.ts';

/**
 * Makes one piece of work out of what a few turns of the event loop bring. Under load a turn takes its time and brings much; with little to
 * do turns are over in no time, so that nobody waits.
 */
export interface Batcher<Item, Answer> {
  /** The answer is the same for all of a batch; `place` tells them apart. */
  add(item: Item): { readonly place: number; readonly answer: Promise<Answer> };
}

export function createBatcher<Item, Answer>({
  turns,
  most = Number.POSITIVE_INFINITY,
  work,
}: {
  turns: number;
  /** With so many it does not wait any longer. */
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
