import { expect, test } from 'vitest';
import { createGathering } from './gathering.ts';

const turn = () => new Promise(setImmediate);

function gatheringOf(turns: number, most?: number) {
  const worked: string[][] = [];
  const work = async (items: readonly string[]) => {
    worked.push([...items]);
    return items.map((item) => item.toUpperCase());
  };
  return { worked, gathering: createGathering({ turns, ...(most && { most }), work }) };
}

test('what a few turns bring is worked on together, and each finds its own answer', async () => {
  const { worked, gathering } = gatheringOf(3);
  const first = gathering.add('a');
  await turn();
  const second = gathering.add('b');
  expect(worked).toEqual([]);
  expect((await first.answer)[first.place]).toBe('A');
  expect((await second.answer)[second.place]).toBe('B');
  await gathering.add('c').answer;
  expect(worked).toEqual([['a', 'b'], ['c']]);
});

test('when there is enough, nobody waits any longer', async () => {
  const { worked, gathering } = gatheringOf(1_000, 2);
  for (const item of ['a', 'b', 'c', 'd']) gathering.add(item);
  expect(worked).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
});

test('what came after a full one is not sent away by the turns of the earlier', async () => {
  const { worked, gathering } = gatheringOf(2, 2);
  gathering.add('a');
  await turn();
  gathering.add('b');
  gathering.add('c');
  await turn();
  expect(worked).toEqual([['a', 'b']]);
  await turn();
  expect(worked).toEqual([['a', 'b'], ['c']]);
});

test('a failure is told to all that were gathered', async () => {
  const gathering = createGathering<string, never>({
    turns: 1,
    work: async () => {
      throw new Error('no');
    },
  });
  const answers = ['a', 'b'].map((item) => gathering.add(item).answer);
  expect((await Promise.allSettled(answers)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
