import { describe, expect, test } from 'vitest';
import { createRecordCache, type LinkCache } from './cache.ts';

function write(cache: LinkCache, kind: string, id: string, text: string): void {
  cache.beginWrite();
  cache.endWrite([{ kind, id, text }], []);
}

function setUp() {
  const records = createRecordCache({ limit: 10_000 });
  return { records, cache: records.open('link') };
}

describe('the cache of records', () => {
  test('returns written records, and none that were deleted', () => {
    const { cache } = setUp();
    write(cache, 'session', 'ada', 'one');
    expect(cache.get('session', 'ada')).toBe('one');
    expect(cache.get('identity', 'ada')).toBeUndefined();
    cache.beginWrite();
    cache.endWrite([], [{ kind: 'session', id: 'ada' }]);
    expect(cache.get('session', 'ada')).toBeUndefined();
  });

  test('caches reads, including the absence of a record', () => {
    const { cache } = setUp();
    cache.fill(cache.version, 'session', ['ada', 'bob'], new Map([['ada', 'one']]));
    expect(cache.get('session', 'ada')).toBe('one');
    expect(cache.get('session', 'bob')).toBeNull();
  });

  test.each([
    ['began', (cache: LinkCache) => cache.beginWrite()],
    ['ended', (cache: LinkCache) => cache.endWrite([{ kind: 'session', id: 'ada', text: 'new' }], [])],
    ['began and ended', (cache: LinkCache) => write(cache, 'session', 'ada', 'new')],
  ])('ignores a read during which a write %s', (_, happen) => {
    const { cache } = setUp();
    const { version } = cache;
    happen(cache);
    cache.fill(version, 'session', ['ada', 'bob'], new Map([['ada', 'old']]));
    expect(cache.get('session', 'ada')).not.toBe('old');
    expect(cache.get('session', 'bob')).toBeUndefined();
  });

  test('begins empty for each owner, detached from the owner before', () => {
    const { records, cache: before } = setUp();
    write(before, 'session', 'ada', 'one');
    const cache = records.open('link');
    expect(cache.get('session', 'ada')).toBeUndefined();
    write(before, 'session', 'ada', 'stale');
    before.fill(before.version, 'session', ['bob'], new Map());
    expect(cache.get('session', 'ada')).toBeUndefined();
    expect(cache.get('session', 'bob')).toBeUndefined();
  });

  test('has the space of the owner before, so that records of other links stay', () => {
    const { records, cache: before } = setUp();
    const other = records.open('link2');
    const text = 'x'.repeat(4_000);
    write(other, 'session', 'ada', text);
    write(before, 'session', 'ada', text);
    write(records.open('link'), 'session', 'ada', text);
    expect(other.get('session', 'ada')).toBe(text);
  });

  test('is cleared for one link at a time', () => {
    const { records, cache } = setUp();
    const other = records.open('link2');
    write(cache, 'session', 'ada', 'one');
    write(other, 'session', 'ada', 'two');
    cache.clear();
    expect(cache.get('session', 'ada')).toBeUndefined();
    expect(other.get('session', 'ada')).toBe('two');
  });

  test('caches no prekeys', () => {
    const { cache } = setUp();
    write(cache, 'pre-key', '1', 'one');
    cache.fill(cache.version, 'pre-key', ['2'], new Map());
    expect(cache.get('pre-key', '1')).toBeUndefined();
    expect(cache.get('pre-key', '2')).toBeUndefined();
  });

  test('weighs names too, so that many absent records do not fill the memory', () => {
    const { cache } = setUp();
    const ids = Array.from({ length: 1_000 }, (_, index) => `${index}`);
    cache.fill(cache.version, 'session', ids, new Map());
    const known = ids.filter((id) => cache.get('session', id) === null);
    expect(known.length).toBeGreaterThan(100);
    expect(known.length).toBeLessThan(200);
  });
});
