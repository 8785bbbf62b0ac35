import { expect, test, vi } from 'vitest';
import { createSteppedClock } from '#kernel';
import { type Store, StoreError } from '#store';
import type { Settlement } from './settle.ts';
import { createSettler } from './settler.ts';

type Run = (settlements: readonly Settlement[]) => Promise<null>;

function stage(run: Run) {
  const clock = createSteppedClock();
  const written: number[][] = [];
  const warn = vi.fn();
  const store = {
    async run(_command: unknown, settlements: readonly Settlement[]) {
      await run(settlements);
      written.push(settlements.map(({ seq }) => seq));
      return null;
    },
  } as unknown as Pick<Store, 'run'>;
  return { clock, written, warn, settler: createSettler({ store, clock, log: { warn } }) };
}

const dropped = (seq: number): Settlement => ({ seq, triesBefore: 0, drop: true });
const done = async () => null;

test('what a few turns of the event loop bring is written together', async () => {
  const { settler, written } = stage(done);
  const first = settler.settle(dropped(1));
  await new Promise(setImmediate);
  await Promise.all([first, settler.settle(dropped(2))]);
  expect(written).toEqual([[1, 2]]);
  await settler.settle(dropped(3));
  expect(written).toEqual([[1, 2], [3]]);
});

test('one that cannot be written keeps no other from it', async () => {
  const { clock, settler, written, warn } = stage(async (settlements) => {
    if (settlements.some(({ seq }) => seq === 2)) throw new StoreError('statement_failed', 'no');
    return null;
  });
  const all = Promise.all([1, 2, 3].map((seq) => settler.settle(dropped(seq))));
  await vi.waitFor(() => expect(written).toEqual([[1], [3]]));
  expect(warn).not.toHaveBeenCalled();
  for (let waited = 0; waited < 31; waited++) {
    clock.advance(1_000);
    await new Promise(setImmediate);
  }
  await all;
  expect(warn).toHaveBeenCalledOnce();
});

test('what a database out of reach did not take is written when it is back', async () => {
  let reachable = false;
  const { clock, settler, written } = stage(async () => {
    if (!reachable) throw new StoreError('unreachable', 'gone');
    return null;
  });
  const all = Promise.all([1, 2].map((seq) => settler.settle(dropped(seq))));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(written).toEqual([]);
  reachable = true;
  clock.advance(500);
  await all;
  expect(written.flat().sort()).toEqual([1, 2]);
});
