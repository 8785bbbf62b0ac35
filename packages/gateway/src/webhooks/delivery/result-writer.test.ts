import { expect, test, vi } from 'vitest';
import { createSteppedClock } from '#kernel';
import { type Store, StoreError } from '#platform/store';
import { createResultWriter } from './result-writer.ts';
import type { DeliveryResult } from './write-commands.ts';

type Run = (results: readonly DeliveryResult[]) => Promise<null>;

function setUp(run: Run) {
  const clock = createSteppedClock();
  const written: number[][] = [];
  const warn = vi.fn();
  const store = {
    async run(_command: unknown, results: readonly DeliveryResult[]) {
      await run(results);
      written.push(results.map(({ seq }) => seq));
      return null;
    },
  } as unknown as Pick<Store, 'run'>;
  return { clock, written, warn, resultWriter: createResultWriter({ store, clock, log: { warn } }) };
}

const dropped = (seq: number): DeliveryResult => ({ seq, triesBefore: 0, drop: true });
const done = async () => null;

test('what a few turns of the event loop bring is written together', async () => {
  const { resultWriter, written } = setUp(done);
  const first = resultWriter.write(dropped(1));
  await new Promise(setImmediate);
  await Promise.all([first, resultWriter.write(dropped(2))]);
  expect(written).toEqual([[1, 2]]);
  await resultWriter.write(dropped(3));
  expect(written).toEqual([[1, 2], [3]]);
});

test('one that cannot be written keeps no other from it', async () => {
  const { clock, resultWriter, written, warn } = setUp(async (results) => {
    if (results.some(({ seq }) => seq === 2)) throw new StoreError('statement_failed', 'no');
    return null;
  });
  const all = Promise.all([1, 2, 3].map((seq) => resultWriter.write(dropped(seq))));
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
  let tries = 0;
  const { clock, resultWriter, written } = setUp(async () => {
    tries++;
    if (!reachable) throw new StoreError('unreachable', 'gone');
    return null;
  });
  const all = Promise.all([1, 2].map((seq) => resultWriter.write(dropped(seq))));
  await vi.waitFor(() => {
    clock.advance(500);
    expect(tries).toBeGreaterThan(1);
  });
  expect(written).toEqual([]);
  reachable = true;
  await vi.waitFor(() => {
    clock.advance(500);
    expect(written).not.toEqual([]);
  });
  await all;
  expect(written.flat().sort()).toEqual([1, 2]);
});
