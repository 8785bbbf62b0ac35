import { expect, it } from 'vitest';
import { eachInTurn } from './each-in-turn.ts';

it('goes on behind what fails, and tells of the first', async () => {
  const done: number[] = [];
  const work = async (item: number) => {
    if (item % 2 === 0) throw new Error(`no ${item}`);
    done.push(item);
  };
  await expect(eachInTurn([1, 2, 3, 4, 5], work)).rejects.toThrow('no 2');
  expect(done).toEqual([1, 3, 5]);
});

it('begins nothing more when it is to stop', async () => {
  const stop = new AbortController();
  const done: number[] = [];
  const work = async (item: number) => {
    done.push(item);
    stop.abort();
  };
  await eachInTurn([1, 2], work, stop.signal);
  expect(done).toEqual([1]);
});
