import { expect, it } from 'vitest';
import type { PreparedEvent } from '#event-log/write-commands';
import { describeOnEachDatabase } from '#testing';
import { countReceived } from '../store.ts';
import { tellEvents } from './inbound.ts';

const NOON = Date.UTC(2026, 6, 18, 12);
const DAY = Math.floor(NOON / 86_400_000);
const MODULES = [new URL('../write-commands.ts', import.meta.url)];

const said = (slotId: string, key: string, changes: Partial<PreparedEvent> = {}): PreparedEvent => ({
  accountId: 'acc_1',
  slotId,
  key,
  id: key,
  kind: 'message',
  category: 'messages',
  extension: null,
  chat: 'chat',
  at: NOON,
  expiresAt: NOON + 1,
  size: 2,
  body: '{}',
  sealed: null,
  ...changes,
});

describeOnEachDatabase(
  'messages that come in',
  (testStore) => {
    it('are counted by number and day with their events, once however often they are told', async () => {
      const { store } = testStore;
      const tell = (...events: PreparedEvent[]) => store.run(tellEvents, { events, inbound: [], kept: [] });
      await Promise.all([tell(said('one', 'a')), tell(said('one', 'b')), tell(said('two', 'a'))]);
      // Told again after a kill, with one that is new.
      await tell(said('one', 'a'), said('one', 'b'), said('one', 'c', { at: NOON + 86_400_000 }));
      await tell(
        said('one', 'own', { extension: 'own_messages' }),
        said('one', 'receipt', { kind: 'receipt', category: 'status' }),
      );
      const count = (by: ('day' | 'slot_id')[]) =>
        countReceived(store, ['one', 'two'], { firstDay: DAY, by });
      expect((await count(['day'])).sort((a, b) => (a.day ?? 0) - (b.day ?? 0))).toEqual([
        { day: DAY, count: 3 },
        { day: DAY + 1, count: 1 },
      ]);
      expect(await count(['slot_id'])).toContainEqual({ slot_id: 'one', count: 3 });
      expect(await countReceived(store, ['one'], { firstDay: DAY + 1, by: ['day'] })).toEqual([
        { day: DAY + 1, count: 1 },
      ]);
    });
  },
  undefined,
  MODULES,
);
