import { expect, test } from 'vitest';
import { createBoundedCache } from './bounded-cache.ts';

test('keeps the most recently used entries, up to its weight', () => {
  const cache = createBoundedCache<string>({ limit: 6, weigh: (text) => text.length });
  cache.set('a', 'xx');
  cache.set('b', 'xx');
  cache.set('c', 'xx');
  expect(cache.get('a')).toBe('xx');
  cache.set('d', 'xx');
  expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.get('d')]).toEqual([
    'xx',
    undefined,
    'xx',
    'xx',
  ]);
});

test('weighs a replaced value once, and rejects an entry heavier than its limit', () => {
  const cache = createBoundedCache<string>({ limit: 4, weigh: (text) => text.length });
  cache.set('a', 'xxx');
  cache.set('a', 'x');
  cache.set('b', 'xxx');
  expect([cache.get('a'), cache.get('b')]).toEqual(['x', 'xxx']);
  cache.set('c', 'xxxxx');
  expect(cache.get('c')).toBeUndefined();
});

test('deletes by prefix', () => {
  const cache = createBoundedCache<number>({ limit: 9 });
  cache.set('one/a', 1);
  cache.set('two/a', 2);
  cache.deleteAll('one/');
  expect([cache.get('one/a'), cache.get('two/a')]).toEqual([undefined, 2]);
});
