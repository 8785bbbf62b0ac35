import { expect, test } from 'vitest';
import { afterKey, firstOf, limitOf, PAGE_MAX, pageOf } from './endpoint.ts';

const ITEMS = ['a', 'b', 'c', 'd'];
const self = (item: string): string => item;
const cursor = (key: string): string => Buffer.from(key).toString('base64url');
const next = (key: string) => ({ cursors: { after: cursor(key) } });

test('a list is read page by page, and the last page has no cursor', () => {
  expect(pageOf(ITEMS, self, { limit: 3 })).toEqual({ items: ['a', 'b', 'c'], paging: next('c') });
  expect(pageOf(ITEMS, self, { limit: 3, after: cursor('c') })).toEqual({ items: ['d'], paging: {} });
  expect(pageOf(ITEMS, self, { limit: 2, after: cursor('a') })).toEqual({
    items: ['b', 'c'],
    paging: next('c'),
  });
  expect(pageOf(ITEMS, self, {})).toEqual({ items: ITEMS, paging: {} });
  expect(pageOf([], self, { limit: 1 })).toEqual({ items: [], paging: {} });
});

test('a page has a cursor when the query found more rows than it shows', () => {
  expect(firstOf(ITEMS, self, { limit: 3 })).toEqual({ items: ['a', 'b', 'c'], paging: next('c') });
  expect(firstOf(ITEMS, self, { limit: 4 })).toEqual({ items: ITEMS, paging: {} });
  expect(limitOf({})).toBe(PAGE_MAX);
  expect(limitOf({ limit: 7 })).toBe(7);
});

test.each(['?', 'YQ==', cursor('a\0'), `${cursor('a')}x`])('refuses an invalid cursor: %s', (after) => {
  expect(() => afterKey({ after })).toThrow('Param after must be a cursor of this list.');
});

test('begins at the start without a cursor', () => {
  expect(afterKey({})).toBeUndefined();
  expect(afterKey({ after: cursor('key') })).toBe('key');
});
