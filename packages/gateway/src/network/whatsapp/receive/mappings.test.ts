import { EventEmitter } from 'node:events';
import type { WASocket } from 'baileys';
import { expect, test, vi } from 'vitest';
import { createMappings } from './mappings.ts';

/** A vault in memory, and a socket whose library stores the changed mappings. */
function setUp() {
  const kept = new Map<string, unknown>();
  const commits: number[] = [];
  const leftToLibrary: unknown[] = [];
  const ev = new EventEmitter();
  ev.on('lid-mapping.update', () => leftToLibrary.push('one by one'));
  const sock = {
    ev,
    signalRepository: {
      lidMapping: { storeLIDPNMappings: async (pairs: unknown) => leftToLibrary.push(pairs) },
    },
  };
  const { attach } = createMappings(() => ({
    read: async (_kind, ids) => new Map(ids.flatMap((id) => (kept.has(id) ? [[id, kept.get(id)]] : []))),
    async commit({ puts = [] }) {
      commits.push(puts.length);
      for (const { id, value } of puts) kept.set(id, value);
    },
  }));
  // A partial socket with only its events.
  attach(sock as never as WASocket);
  const learn = (place: number, lid = 1_000 + place) =>
    ev.emit('lid-mapping.update', { pn: `${15_550_000_000 + place}@s.whatsapp.net`, lid: `${lid}@lid` });
  return { kept, commits, leftToLibrary, learn };
}

test('stores a large address book in few transactions, bypassing the library', async () => {
  const { kept, commits, leftToLibrary, learn } = setUp();
  for (let place = 0; place < 1_200; place++) learn(place);
  await vi.waitFor(() => expect(kept.size).toBe(2_400));
  expect(commits).toEqual([1_000, 1_000, 400]);
  expect([kept.get('15550000007'), kept.get('1007_reverse')]).toEqual(['1007', '15550000007']);
  expect(leftToLibrary).toEqual([]);
});

test('leaves a changed address to the library, which may have cached the old one', async () => {
  const { kept, commits, leftToLibrary, learn } = setUp();
  learn(1);
  await vi.waitFor(() => expect(kept.size).toBe(2));
  learn(1);
  learn(1, 9_999);
  await vi.waitFor(() => expect(leftToLibrary).toHaveLength(1));
  expect(leftToLibrary).toEqual([[{ pn: '15550000001@s.whatsapp.net', lid: '9999@lid' }]]);
  expect(commits).toEqual([2]);
});
