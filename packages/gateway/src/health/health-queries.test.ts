import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '#testing';
import {
  choosePacing,
  countReceived,
  dropCounts,
  findHealth,
  foldHours,
  healthOfMany,
  numbersByState,
  recentNewChats,
  refusalsSince,
} from './health-queries.ts';
import { createNumbers, MODULES, newSlot } from './testing/numbers.ts';
import { noteHealth } from './write-commands.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ZERO = { sent: 0, new_chats: 0, replies: 0, refused_463_known: 0, refused_463_unknown: 0 };
const NOTHING = {
  refused_479: 0,
  rate_overlimit: 0,
  undecryptable: 0,
  deaf: 0,
  disconnects: 0,
  held_back: 0,
};

describeOnEachDatabase(
  'health queries',
  (testStore) => {
    const { health, write } = createNumbers(() => testStore.store);

    async function insertCounts(...rows: readonly { slot_id: string; starts_at: number; sent?: number }[]) {
      const whole = rows.map((row) => ({ ...ZERO, ...NOTHING, received: 0, ...row }));
      await testStore.store.transaction((trx) => trx.insertInto('health_counts').values(whole).execute());
    }
    async function countsOf(...slotIds: readonly string[]) {
      const rows = await testStore.store.read
        .selectFrom('health_counts')
        .select(['slot_id', 'starts_at', 'sent'])
        .where('slot_id', 'in', slotIds)
        .orderBy('slot_id')
        .orderBy('starts_at')
        .execute();
      return rows.map(({ slot_id, starts_at, sent }) => [slot_id, starts_at, sent]);
    }

    it('count numbers by state, with zeros', async () => {
      expect([...(await numbersByState(testStore.store)).values()]).toEqual([0, 0, 0, 0, 0]);
      const [one, other] = [newSlot(), newSlot()];
      for (const slotId of [one, other]) await write(slotId);
      await write(newSlot(), { state: 'banned' });
      const states = await numbersByState(testStore.store);
      expect(Object.fromEntries(states)).toEqual({
        healthy: 2,
        watch: 0,
        restricted: 0,
        banned: 1,
        unlinked: 0,
      });
    });

    it('list the numbers of one account, or of all', async () => {
      const slotId = newSlot();
      await write(slotId, { account_id: 'acc_of_many' });
      const found = await healthOfMany(testStore.store.read, 'acc_of_many');
      expect(found.map(({ slot_id }) => slot_id)).toEqual([slotId]);
      expect((await healthOfMany(testStore.store.read)).length).toBeGreaterThan(1);
    });

    it('have no row for a number that was never linked, and store no pacing for it', async () => {
      const number = { slotId: newSlot(), accountId: 'acc_1', phone: '1555' };
      expect(await findHealth(testStore.store.read, number, 1)).toBeUndefined();
      const choice = choosePacing(testStore.store, number, (before) => before, { now: 1, by: undefined });
      expect(await choice).toBeUndefined();
      expect(await recentNewChats(testStore.store.read, number.slotId)).toBe('[]');
    });

    it('store the pacing of one number', async () => {
      const [one, other] = [newSlot(), newSlot()];
      for (const slotId of [one, other]) await write(slotId);
      const number = { slotId: one, accountId: 'acc_1', phone: '1555' };
      const by = { now: 1, by: undefined };
      await choosePacing(testStore.store, number, () => ({ daily_new_chats: 5 }), by);
      await choosePacing(testStore.store, number, (before) => ({ ...before, warm_up_days: 3 }), by);
      expect(JSON.parse((await health(one))?.pacing ?? '')).toEqual({ daily_new_chats: 5, warm_up_days: 3 });
      expect((await health(other))?.pacing).toBeNull();
    });

    it('sum the refusals since a time', async () => {
      const from = 900 * DAY;
      expect(await refusalsSince(testStore.store, from)).toEqual({ known: 0, unknown: 0 });
      const [early, known, unknown] = [newSlot(), newSlot(), newSlot()];
      const refused = { refused_463_known: 2, refused_463_unknown: 3 };
      await insertCounts(
        { slot_id: early, starts_at: from - 1, ...refused },
        { slot_id: known, starts_at: from, ...refused },
        { slot_id: unknown, starts_at: from + HOUR, ...refused },
      );
      expect(await refusalsSince(testStore.store, from)).toEqual({ known: 4, unknown: 6 });
    });

    it('return no received count for an empty list, and none for numbers without messages', async () => {
      const slotId = newSlot();
      await insertCounts({ slot_id: slotId, starts_at: 10 * DAY });
      expect(await countReceived(testStore.store, [], { firstDay: 0, by: ['day'] })).toEqual([]);
      expect(await countReceived(testStore.store, [slotId], { firstDay: 0, by: ['day'] })).toEqual([]);
    });

    it('merge the hours of a day into one row per number, up to a time and a limit', async () => {
      const [one, other] = [newSlot(), newSlot()].sort() as [string, string];
      const day = 20 * DAY;
      await insertCounts(
        { slot_id: one, starts_at: day, sent: 1 },
        { slot_id: one, starts_at: day + HOUR, sent: 2 },
        { slot_id: one, starts_at: day + 2 * HOUR, sent: 3 },
        { slot_id: one, starts_at: day + DAY + HOUR, sent: 4 },
        { slot_id: other, starts_at: day + 5 * HOUR, sent: 5 },
      );
      for (const numbers of [1, 1, 0]) expect(await foldHours(testStore.store, day + DAY, 1)).toBe(numbers);
      expect(await countsOf(one, other)).toEqual([
        [one, day, 6],
        [one, day + DAY + HOUR, 4],
        [other, day, 5],
      ]);
    });

    it('delete the oldest counts first, up to a time and a limit', async () => {
      const [one, other] = [newSlot(), newSlot()].sort() as [string, string];
      await insertCounts(
        { slot_id: one, starts_at: 3 },
        { slot_id: one, starts_at: 1 },
        { slot_id: other, starts_at: 1 },
        { slot_id: other, starts_at: 2 },
      );
      expect(await dropCounts(testStore.store, 3, 2)).toBe(2);
      expect((await countsOf(one, other)).map(([slotId, at]) => [slotId, at])).toEqual([
        [one, 3],
        [other, 2],
      ]);
      expect(await dropCounts(testStore.store, 3, 2)).toBe(1);
      expect(await dropCounts(testStore.store, 3, 2)).toBe(0);
      expect(await countsOf(one, other)).toHaveLength(1);
    });

    it('store the creation time of a link, of no other number', async () => {
      const [one, other] = [newSlot(), newSlot()];
      const link = { link_id: `link of ${one}`, fence: 0, creds: new Uint8Array(), created_at: 42 };
      await testStore.store.transaction((trx) => trx.insertInto('network_links').values(link).execute());
      const note = (slotId: string, linkId: string) =>
        testStore.store.run(noteHealth, {
          accountId: 'acc_1',
          slotId,
          sessionId: 'session',
          at: 100,
          fence: null,
          signals: [{ kind: 'connected', linkId, sessionId: 'session' }],
        });
      await Promise.all([note(one, link.link_id), note(other, 'unknown')]);
      expect(await health(one)).toMatchObject({ link_id: link.link_id, linked_at: 42, state: 'healthy' });
      expect(await health(other)).toMatchObject({ link_id: 'unknown', linked_at: 100 });
    });
  },
  'shared by all tests',
  MODULES,
);
