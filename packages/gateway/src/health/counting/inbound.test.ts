import { expect, it } from 'vitest';
import type { PreparedEvent } from '#events/write-commands';
import { describeOnEachDatabase } from '#testing';
import { countReceived } from '../health-queries.ts';
import { ADA, BEN, createNumbers, GROUP, newSlot } from '../testing/numbers.ts';
import { type Inbound, writeInbound } from './inbound.ts';

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
  'inbound messages',
  (testStore) => {
    it('are counted by number and day with their events, once despite repetitions', async () => {
      const { store } = testStore;
      const writeEvents = (...events: PreparedEvent[]) =>
        store.run(writeInbound, { events, inbound: [], kept: [] });
      await Promise.all([
        writeEvents(said('one', 'a')),
        writeEvents(said('one', 'b')),
        writeEvents(said('two', 'a')),
      ]);
      // Repeated after a kill, with one that is new.
      await writeEvents(said('one', 'a'), said('one', 'b'), said('one', 'c', { at: NOON + 86_400_000 }));
      await writeEvents(
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
      expect(await countReceived(store, ['two'], { firstDay: DAY, by: ['slot_id'] })).toEqual([
        { slot_id: 'two', count: 1 },
      ]);
      expect(await countReceived(store, ['one'], { firstDay: DAY + 1, by: ['day'] })).toEqual([
        { day: DAY + 1, count: 1 },
      ]);
    });

    const { counts, health, know, people, write } = createNumbers(() => testStore.store);
    /** All in one batch. */
    const receive = (...messages: readonly (Partial<Inbound> & Pick<Inbound, 'slotId'>)[]) =>
      Promise.all(
        messages.map((message) => {
          const inbound = { accountId: 'acc_1', sessionId: 'session', people: [ADA], isOwn: false, at: NOON };
          return testStore.store.run(writeInbound, {
            events: [],
            inbound: [{ ...inbound, ...message }],
            kept: [],
          });
        }),
      );

    it('count as an answer of a person once, and as a reply when the number has written to them', async () => {
      const [slotId, other] = [newSlot(), newSlot()];
      for (const each of [slotId, other]) await write(each);
      await know(
        { slot_id: slotId, person: ADA, written_at: 1, reached_at: 2 },
        { slot_id: slotId, person: GROUP, written_at: 1 },
        { slot_id: other, person: ADA, written_at: 1 },
      );
      // One person under two addresses, and one whom the number does not know.
      await receive({ slotId, people: [ADA, GROUP] }, { slotId, people: [BEN] });
      await receive({ slotId, at: NOON + 1 }, { slotId, people: [BEN], at: NOON + 1 });
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

    it('by the owner elsewhere mark a person as reached, and are no answer', async () => {
      const slotId = newSlot();
      await write(slotId);
      await know({ slot_id: slotId, person: ADA, written_at: 1, answered_at: 2 });
      await receive({ slotId, isOwn: true, people: [ADA, BEN] });
      await receive({ slotId, isOwn: true, at: NOON + 1 });
      expect(await people(slotId)).toEqual([
        { person: ADA, written_at: 1, reached_at: NOON, answered_at: 2 },
        { person: BEN, written_at: null, reached_at: NOON, answered_at: null },
      ]);
      expect(await counts(slotId)).toEqual([]);
      expect((await health(slotId))?.inbound_at).toBeNull();
    });

    it('update the last inbound time of their number once a minute', async () => {
      const [slotId, other] = [newSlot(), newSlot()];
      for (const each of [slotId, other]) await write(each);
      const last = async () => (await health(slotId))?.inbound_at;
      await receive({ slotId });
      expect(await last()).toBe(NOON);
      await receive({ slotId, at: NOON + 59_999 });
      expect(await last()).toBe(NOON);
      await receive({ slotId, at: NOON + 60_000 });
      expect(await last()).toBe(NOON + 60_000);
      expect((await health(other))?.inbound_at).toBeNull();
    });
  },
  undefined,
  MODULES,
);
