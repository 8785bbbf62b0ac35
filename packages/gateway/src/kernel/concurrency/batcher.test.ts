import { expect, test } from 'vitest';
import { createBatcher } from './batcher.ts';

const turn = () => new Promise(setImmediate);

function batcherOf(turns: number, most?: number) {
  const worked: string[][] = [];
  const work = async (items: readonly string[]) => {
    worked.push([...items]);
    return items.map((item) => item.toUpperCase());
  };
  return { worked, batcher: createBatcher({ turns, ...(most && { most }), work }) };
}

test('what a few turns bring is worked on together, and each finds its own answer', async () => {
  const { worked, batcher } = batcherOf(3);
  const first = batcher.add('a');
  await turn();
  const second = batcher.add('b');
  expect(worked).toEqual([]);
  expect((await first.answer)[first.place]).toBe('A');
  expect((await second.answer)[second.place]).toBe('B');
  await batcher.add('c').answer;
  expect(worked).toEqual([['a', 'b'], ['c']]);
});

test('when there is enough, nobody waits any longer', async () => {
  const { worked, batcher } = batcherOf(1_000, 2);
  for (const item of ['a', 'b', 'c', 'd']) batcher.add(item);
  expect(worked).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
});

test('what came after a full one is not sent away by the turns of the earlier', async () => {
  const { worked, batcher } = batcherOf(2, 2);
  batcher.add('a');
  await turn();
  batcher.add('b');
  batcher.add('c');
  await turn();
  expect(worked).toEqual([['a', 'b']]);
  await turn();
  expect(worked).toEqual([['a', 'b'], ['c']]);
});

test('a failure is told to all of a batch', async () => {
  const batcher = createBatcher<string, never>({
    turns: 1,
    work: async () => {
      throw new Error('no');
    },
  });
  const answers = ['a', 'b'].map((item) => batcher.add(item).answer);
  expect((await Promise.allSettled(answers)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
