import { expect, it, test } from 'vitest';
import { createSteppedClock } from '../time/clock.ts';
import {
  createBatcher,
  createPlaces,
  createSemaphore,
  createWaitGroup,
  eachInTurn,
  waitAtMost,
  within,
} from './coordination.ts';

const turn = () => new Promise(setImmediate);

function batcherOf(turns: number, most?: number) {
  const worked: string[][] = [];
  const work = async (items: readonly string[]) => {
    worked.push([...items]);
    return items.map((item) => item.toUpperCase());
  };
  return { worked, batcher: createBatcher({ turns, ...(most && { most }), work }) };
}

test('combines the items of a few turns, and gives each its own answer', async () => {
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

test('starts a full batch at once', async () => {
  const { worked, batcher } = batcherOf(1_000, 2);
  for (const item of ['a', 'b', 'c', 'd']) batcher.add(item);
  expect(worked).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
});

test('does not let items after a full batch leave early', async () => {
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

test('rejects every item of a failed batch', async () => {
  const batcher = createBatcher<string, never>({
    turns: 1,
    work: async () => {
      throw new Error('no');
    },
  });
  const answers = ['a', 'b'].map((item) => batcher.add(item).answer);
  expect((await Promise.allSettled(answers)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

it('continues after a failure, and throws the first one', async () => {
  const done: number[] = [];
  const work = async (item: number) => {
    if (item % 2 === 0) throw new Error(`no ${item}`);
    done.push(item);
  };
  await expect(eachInTurn([1, 2, 3, 4, 5], work)).rejects.toThrow('no 2');
  expect(done).toEqual([1, 3, 5]);
});

it('starts nothing more after it is stopped', async () => {
  const stop = new AbortController();
  const done: number[] = [];
  const work = async (item: number) => {
    done.push(item);
    stop.abort();
  };
  await eachInTurn([1, 2], work, stop.signal);
  expect(done).toEqual([1]);
});

test('admits the limit at once, the others in order of arrival', async () => {
  const semaphore = createSemaphore(2);
  const started: number[] = [];
  const leave = new Map<number, (value: number) => void>();
  const visits = [0, 1, 2, 3].map((visitor) =>
    semaphore.run(() => {
      started.push(visitor);
      return new Promise<number>((resolve) => leave.set(visitor, resolve));
    }),
  );
  expect(started).toEqual([0, 1]);
  leave.get(1)?.(1);
  await visits[1];
  expect(started).toEqual([0, 1, 2]);
  leave.get(0)?.(0);
  await visits[0];
  expect(started).toEqual([0, 1, 2, 3]);
});

test('releases the permit of work that fails', async () => {
  const semaphore = createSemaphore(1);
  await expect(semaphore.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(semaphore.run(async () => 'next')).resolves.toBe('next');
});

it('resolves when all work is over, including work added in the meantime', async () => {
  const group = createWaitGroup();
  await group.whenIdle();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  group.add(first.promise);
  let over = false;
  const none = group.whenIdle().then(() => {
    over = true;
  });
  group.add(second.promise);
  first.resolve();
  await new Promise(setImmediate);
  expect(over).toBe(false);
  second.resolve();
  await none;
});

test('places are limited for each key, free again after their release, and forgotten with the last one', () => {
  const places = createPlaces(2);
  const [first, second] = [places.take('ada'), places.take('ada')];
  expect(places.take('ada')).toBeUndefined();
  const other = places.take('ben');
  expect(places.size).toBe(2);
  first?.();
  expect(places.take('ada')).toBeDefined();
  expect(places.take('ada')).toBeUndefined();
  second?.();
  other?.();
  expect(places.size).toBe(1);
});

const never = new Promise<never>(() => {});
const late = () => new Error('late');

test('a time limit settles as the work does when it is in time, and cancels its timer', async () => {
  const clock = createSteppedClock();
  await expect(within(clock, 10, Promise.resolve('done'), late)).resolves.toBe('done');
  await expect(within(clock, 10, Promise.reject(new Error('no')), late)).rejects.toThrow('no');
  await expect(waitAtMost(clock, 10, Promise.resolve())).resolves.toBe(true);
});

test('a time limit does not wait for work that takes longer', async () => {
  const clock = createSteppedClock();
  const limited = within(clock, 10, never, late);
  const waiting = waitAtMost(clock, 10, never);
  clock.advance(10);
  await expect(limited).rejects.toThrow('late');
  await expect(waiting).resolves.toBe(false);
});
