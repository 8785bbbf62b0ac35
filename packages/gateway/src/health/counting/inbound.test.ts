import { expect, it } from 'vitest';
import type { PreparedEvent } from '#event-log/write-commands';
import { describeOnEachDatabase } from '#testing';
import { countReceived } from '../store.ts';
import { ADA, BEN, createNumbers, GROUP, newSlot } from '../testing/numbers.ts';
import { type Inbound, tellEvents } from './inbound.ts';

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

    const { counts, health, know, people, write } = createNumbers(() => testStore.store);
    /** All in one batch. */
    const heard = (...messages: readonly (Partial<Inbound> & Pick<Inbound, 'slotId'>)[]) =>
      Promise.all(
        messages.map((message) => {
          const inbound = { accountId: 'acc_1', sessionId: 'session', people: [ADA], isOwn: false, at: NOON };
          return testStore.store.run(tellEvents, {
            events: [],
            inbound: [{ ...inbound, ...message }],
            kept: [],
          });
        }),
      );

    it('are an answer of a person once, and a reply where the number has written to them', async () => {
      const [slotId, other] = [newSlot(), newSlot()];
      for (const each of [slotId, other]) await write(each);
      await know(
        { slot_id: slotId, person: ADA, written_at: 1, reached_at: 2 },
        { slot_id: slotId, person: GROUP, written_at: 1 },
        { slot_id: other, person: ADA, written_at: 1 },
      );
      // One person under two addresses, and one whom the number does not know.
      await heard({ slotId, people: [ADA, GROUP] }, { slotId, people: [BEN] });
      await heard({ slotId, at: NOON + 1 }, { slotId, people: [BEN], at: NOON + 1 });
      expect(await counts(slotId)).toEqual([{ replies: 1 }]);
      expect(await people(slotId)).toEqual([
        { person: GROUP, written_at: 1, reached_at: null, answered_at: NOON },
        { person: ADA, written_at: 1, reached_at: 2, answered_at: NOON },
        { person: BEN, written_at: null, reached_at: null, answered_at: NOON },
      ]);
      expect(await counts(other)).toEqual([]);
      expect(await people(other)).toEqual([
        { person: ADA, written_at: 1, reached_at: null, answered_at: null },
      ]);
    });

    it('of the owner elsewhere make a person reached, and are no answer', async () => {
      const slotId = newSlot();
      await write(slotId);
      await know({ slot_id: slotId, person: ADA, written_at: 1, answered_at: 2 });
      await heard({ slotId, isOwn: true, people: [ADA, BEN] });
      await heard({ slotId, isOwn: true, at: NOON + 1 });
      expect(await people(slotId)).toEqual([
        { person: ADA, written_at: 1, reached_at: NOON, answered_at: 2 },
        { person: BEN, written_at: null, reached_at: NOON, answered_at: null },
      ]);
      expect(await counts(slotId)).toEqual([]);
      expect((await health(slotId))?.inbound_at).toBeNull();
    });

    it('are noted as the last of their number once a minute', async () => {
      const [slotId, other] = [newSlot(), newSlot()];
      for (const each of [slotId, other]) await write(each);
      const last = async () => (await health(slotId))?.inbound_at;
      await heard({ slotId });
      expect(await last()).toBe(NOON);
      await heard({ slotId, at: NOON + 59_999 });
      expect(await last()).toBe(NOON);
      await heard({ slotId, at: NOON + 60_000 });
      expect(await last()).toBe(NOON + 60_000);
      expect((await health(other))?.inbound_at).toBeNull();
    });
  },
  undefined,
  MODULES,
);
