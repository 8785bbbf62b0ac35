import { atEndOfTurn } from './clock.ts';

/**
 * Makes one piece of work out of what a few turns of the event loop bring. Under load a turn takes its time and brings much; with little to
 * do turns are over in no time, so that nobody waits.
 */
export interface Gathering<Item, Answer> {
  /** The answer is the same for all that were gathered; `place` tells them apart. */
  add(item: Item): { readonly place: number; readonly answer: Promise<Answer> };
}

export function createGathering<Item, Answer>({
  turns,
  most = Number.POSITIVE_INFINITY,
  work,
}: {
  turns: number;
  /** With so many it does not wait any longer. */
  most?: number;
  work: (items: readonly Item[]) => Promise<Answer>;
}): Gathering<Item, Answer> {
  let current: { readonly items: Item[]; readonly answer: Promise<Answer>; leave(): void } | undefined;

  function begin(): NonNullable<typeof current> {
    const { promise: answer, resolve } = Promise.withResolvers<Answer>();
    const items: Item[] = [];
    let left = false;
    const begun = {
      items,
      answer,
      leave() {
        if (left) return;
        left = true;
        current = undefined;
        resolve(work(items));
      },
    };
    afterTurns(turns, begun.leave);
    return begun;
  }

  return {
    add(item) {
      current ??= begin();
      const { items, answer, leave } = current;
      const place = items.push(item) - 1;
      if (items.length >= most) leave();
      return { place, answer };
    },
  };
}

function afterTurns(count: number, action: () => void): void {
  atEndOfTurn(count === 1 ? action : () => afterTurns(count - 1, action));
}
