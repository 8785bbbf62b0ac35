import type { MessageState } from '@parley/contract';
import { beforeEach, expect, it } from 'vitest';
import { createSteppedClock, DAY_MS } from '#kernel';
import type { OwnedNumber } from '#platform/http';
import { type Store, StoreError } from '#platform/store';
import { describeOnEachDatabase } from '#testing';
import { noteReceipt } from '../receipts/write-commands.ts';
import { addMessage, commandModules, newNumber } from '../testing/rows.ts';
import { countSent, rememberDays } from './count-sent.ts';
import { dayOf } from './days.ts';
import type { SentFigures } from './usage-queries.ts';

const NOON = Date.UTC(2026, 6, 18, 12);
const TODAY = dayOf(NOON);

describeOnEachDatabase(
  'counts of sent messages',
  (test) => {
    let busy: OwnedNumber;
    let calm: OwnedNumber;
    let delivered: string;

    beforeEach(async () => {
      busy = await newNumber(test.store);
      calm = await newNumber(test.store, busy);
      const sent: [OwnedNumber, number, MessageState][] = [
        [calm, NOON - 2 * DAY_MS, 'read'],
        [busy, NOON - DAY_MS, 'failed'],
        // The first and the last moment of a day.
        [busy, NOON - DAY_MS / 2, 'accepted'],
        [calm, NOON, 'sent'],
        [busy, NOON + DAY_MS / 2 - 1_000, 'sent'],
      ];
      for (const [number, at, status] of sent) await addMessage(test.store, number, at, status);
      delivered = await addMessage(test.store, busy, NOON - DAY_MS + 1_000, 'sent');
      await addMessage(test.store, await newNumber(test.store), NOON, 'sent');
    });

    const ask = (by: readonly ('day' | 'slot_id')[], { days = 3, now = NOON, store = test.store } = {}) =>
      countSent({ store, clock: createSteppedClock(now) }, [busy.slotId, calm.slotId], {
        firstDay: TODAY - days + 1,
        by,
      });
    const byDay = async (given = {}) => {
      const days = new Map<number, SentFigures>();
      for (const { day, ...counted } of await ask(['day'], given)) {
        const sum = days.get(Number(day) - TODAY);
        days.set(Number(day) - TODAY, {
          accepted: counted.accepted + (sum?.accepted ?? 0),
          sent: counted.sent + (sum?.sent ?? 0),
          delivered: counted.delivered + (sum?.delivered ?? 0),
          failed: counted.failed + (sum?.failed ?? 0),
        });
      }
      return days;
    };
    const rememberedRows = () =>
      test.store.read
        .selectFrom('sent_days')
        .selectAll()
        .where('slot_id', 'in', [busy.slotId, calm.slotId])
        .where('is_stale', '=', 0)
        .execute();

    const arrive = (status: 'delivered' | 'read') =>
      test.store.run(noteReceipt, {
        slotId: busy.slotId,
        messageId: delivered,
        status,
        // Read before midnight, recorded today.
        at: NOON - DAY_MS + 2_000,
        now: NOON,
      });

    it('are grouped by day and number, without other numbers, stored or not', async () => {
      for (const _ of ['counted', 'remembered']) {
        const days = await byDay();
        expect(days.get(-2)).toEqual({ accepted: 1, sent: 1, delivered: 1, failed: 0 });
        expect(days.get(-1)).toEqual({ accepted: 2, sent: 1, delivered: 0, failed: 1 });
        expect(days.get(0)).toEqual({ accepted: 3, sent: 2, delivered: 0, failed: 0 });
      }
      const ofCalm = (await ask(['slot_id'])).filter(({ slot_id }) => slot_id === calm.slotId);
      expect(ofCalm.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(2);
      expect(
        await countSent({ store: test.store, clock: createSteppedClock(NOON) }, [], {
          firstDay: TODAY,
          by: [],
        }),
      ).toEqual([]);
    });

    it('are not computed again for a past day', async () => {
      await byDay();
      await test.store.transaction((trx) =>
        trx.deleteFrom('messages').where('slot_id', '=', busy.slotId).execute(),
      );
      expect((await byDay()).get(-1)).toEqual({ accepted: 2, sent: 1, delivered: 0, failed: 1 });
    });

    it('are computed ahead of requests, also after a change by a receipt', async () => {
      // More numbers than one transaction counts.
      for (let more = 0; more < 25; more++) await newNumber(test.store, busy);
      const parts = { store: test.store, clock: createSteppedClock(NOON) };
      await rememberDays(parts);
      const rows = await rememberedRows();
      expect(rows).toHaveLength(2 * 30);
      expect(rows.find(({ slot_id, day }) => slot_id === busy.slotId && day === TODAY - 1)).toMatchObject({
        accepted: 2,
        failed: 1,
      });
      await arrive('delivered');
      expect(await rememberedRows()).toHaveLength(2 * 30 - 1);
      await rememberDays(parts);
      expect(await rememberedRows()).toHaveLength(2 * 30);

      const readOnly: Store = { ...test.store, transaction: () => Promise.reject(new Error('not again')) };
      expect((await byDay({ store: readOnly, days: 31 })).get(-1)).toMatchObject({ delivered: 1 });
    });

    it('follow a receipt that comes after the day', async () => {
      await byDay();
      await arrive('delivered');
      expect((await byDay()).get(-1)).toEqual({ accepted: 2, sent: 1, delivered: 1, failed: 1 });
      // It does not change the counts of the day, which stays stored.
      const before = await rememberedRows();
      await arrive('read');
      expect(await rememberedRows()).toEqual(before);
    });

    it('leave out a day with messages still to be sent, and one that has only just ended', async () => {
      const tomorrow = NOON + DAY_MS;
      await ask(['day'], { days: 1, now: tomorrow });
      const remembered = (await rememberedRows()).filter(({ day }) => day === TODAY);
      expect(remembered.map(({ slot_id }) => slot_id)).toEqual([calm.slotId]);
      expect((await byDay({ now: tomorrow })).get(0)).toEqual({
        accepted: 3,
        sent: 2,
        delivered: 0,
        failed: 0,
      });

      const justAfter = NOON + DAY_MS / 2 + 60_000;
      await test.store.transaction((trx) =>
        trx.deleteFrom('sent_days').where('slot_id', 'in', [busy.slotId, calm.slotId]).execute(),
      );
      await ask(['day'], { days: 1, now: justAfter });
      expect(await rememberedRows()).toEqual([]);
    });

    it('are answered while nothing can be written, and deleted after the range of the API', async () => {
      const store: Store = {
        ...test.store,
        transaction: () => Promise.reject(new StoreError('unavailable', 'The disk is full.')),
      };
      expect((await byDay({ store })).get(-1)).toMatchObject({ accepted: 2, failed: 1 });
      expect(await rememberedRows()).toEqual([]);

      await byDay();
      const later = NOON + 40 * DAY_MS;
      await countSent({ store: test.store, clock: createSteppedClock(later) }, [calm.slotId, busy.slotId], {
        firstDay: dayOf(later) - 1,
        by: ['day'],
      });
      expect((await rememberedRows()).map(({ day }) => day)).toEqual([dayOf(later) - 1, dayOf(later) - 1]);
    });
  },
  'shared by all tests',
  commandModules,
);
