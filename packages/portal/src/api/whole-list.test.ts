import { expect, it } from 'vitest';
import { type PageQuery, wholeList } from './whole-list.ts';

const ALL = ['a', 'b', 'c', 'd', 'e'];
const asked: PageQuery[] = [];

async function load({ cursor }: PageQuery) {
  asked.push(cursor === undefined ? {} : { cursor });
  const from = cursor === undefined ? 0 : ALL.indexOf(cursor) + 1;
  const names = ALL.slice(from, from + 2);
  return { names, total: ALL.length, next_cursor: from + 2 < ALL.length ? (names.at(-1) ?? null) : null };
}

it('loads page after page and joins them in order', async () => {
  asked.length = 0;
  expect(await wholeList(load)).toEqual({ names: ALL, total: 5, next_cursor: null });
  expect(asked).toEqual([{}, { cursor: 'b' }, { cursor: 'd' }]);
});

it('stops after the given number of pages and returns the cursor of the next', async () => {
  expect(await wholeList(load, 2)).toEqual({ names: ['a', 'b', 'c', 'd'], total: 5, next_cursor: 'd' });
  expect(await wholeList(load, 1)).toEqual({ names: ['a', 'b'], total: 5, next_cursor: 'b' });
});
