import { expect, test } from 'vitest';
import { afterKey, firstOf, limitOf, PAGE_MAX, pageOf } from './pages.ts';

const LETTERS = ['a', 'b', 'c', 'd'];
const self = (item: string): string => item;
const cursor = (key: string): string => Buffer.from(key).toString('base64url');
const next = (key: string) => ({ cursors: { after: cursor(key) } });

test('a list is walked page by page, and the last one names no next', () => {
  expect(pageOf(LETTERS, self, { limit: 3 })).toEqual({ items: ['a', 'b', 'c'], paging: next('c') });
  expect(pageOf(LETTERS, self, { limit: 3, after: cursor('c') })).toEqual({ items: ['d'], paging: {} });
  expect(pageOf(LETTERS, self, { limit: 2, after: cursor('a') })).toEqual({
    items: ['b', 'c'],
    paging: next('c'),
  });
  expect(pageOf(LETTERS, self, {})).toEqual({ items: LETTERS, paging: {} });
  expect(pageOf([], self, { limit: 1 })).toEqual({ items: [], paging: {} });
});

test('a page that was read names the next when more was found than it shows', () => {
  expect(firstOf(LETTERS, self, { limit: 3 })).toEqual({ items: ['a', 'b', 'c'], paging: next('c') });
  expect(firstOf(LETTERS, self, { limit: 4 })).toEqual({ items: LETTERS, paging: {} });
  expect(limitOf({})).toBe(PAGE_MAX);
  expect(limitOf({ limit: 7 })).toBe(7);
});

test.each(['?', 'YQ==', cursor('a\0'), `${cursor('a')}x`])('no cursor of a list is refused: %s', (after) => {
  expect(() => afterKey({ after })).toThrow('Param after must be a cursor of this list.');
});

test('no cursor is the beginning', () => {
  expect(afterKey({})).toBeUndefined();
  expect(afterKey({ after: cursor('key') })).toBe('key');
});
