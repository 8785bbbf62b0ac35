import { EventEmitter } from 'node:events';
import type { WASocket } from 'baileys';
import { expect, test, vi } from 'vitest';
import { createMappings } from './mappings.ts';

/** A vault in memory, and a socket of which the library still keeps the changed ones itself. */
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
  // Of a socket there is only what is listened to.
  attach(sock as never as WASocket);
  const tell = (place: number, lid = 1_000 + place) =>
    ev.emit('lid-mapping.update', { pn: `${15_550_000_000 + place}@s.whatsapp.net`, lid: `${lid}@lid` });
  return { kept, commits, leftToLibrary, tell };
}

test('an address book of many people is kept in few transactions, and not by the library', async () => {
  const { kept, commits, leftToLibrary, tell } = setUp();
  for (let place = 0; place < 1_200; place++) tell(place);
  await vi.waitFor(() => expect(kept.size).toBe(2_400));
  expect(commits).toEqual([1_000, 1_000, 400]);
  expect([kept.get('15550000007'), kept.get('1007_reverse')]).toEqual(['1007', '15550000007']);
  expect(leftToLibrary).toEqual([]);
});

test('an address that has changed is left to the library, which may hold the old one', async () => {
  const { kept, commits, leftToLibrary, tell } = setUp();
  tell(1);
  await vi.waitFor(() => expect(kept.size).toBe(2));
  tell(1);
  tell(1, 9_999);
  await vi.waitFor(() => expect(leftToLibrary).toHaveLength(1));
  expect(leftToLibrary).toEqual([[{ pn: '15550000001@s.whatsapp.net', lid: '9999@lid' }]]);
  expect(commits).toEqual([2]);
});
