import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '#testing';
import { settle } from '../testing/commands.ts';
import { ADA, BEN, createNumbers, GROUP, MODULES, NOON, newSlot } from '../testing/numbers.ts';
import type { Settled } from './settled.ts';

const HOUR = 3_600_000;

describeOnEachDatabase(
  'settled messages',
  (testStore) => {
    const { counts, health, know, people, states } = createNumbers(() => testStore.store);
    /** All in one batch. */
    const settled = (...messages: readonly (Partial<Settled> & Pick<Settled, 'slotId'>)[]) =>
      Promise.all(
        messages.map((message) =>
          testStore.store.run(settle, {
            accountId: 'acc_1',
            sessionId: 'session',
            to: ADA,
            at: NOON,
            isSent: false,
            code: null,
            ...message,
          }),
        ),
      );

    it('are counted by number, hour and outcome', async () => {
      const [slotId, other] = [newSlot(), newSlot()];
      await know(
        { slot_id: slotId, person: ADA, reached_at: 1 },
        { slot_id: slotId, person: BEN, answered_at: 1 },
      );
      await settled(
        { slotId, isSent: true },
        { slotId, isSent: true, to: GROUP },
        { slotId, isSent: true, at: NOON + HOUR },
        { slotId: other, isSent: true },
        { slotId, code: 463 },
        { slotId, code: 463, to: BEN },
        { slotId, code: 463, to: '15550002003@s.whatsapp.net' },
        { slotId, code: 479 },
        { slotId, code: 400 },
        { slotId },
      );
      expect(await counts(slotId)).toEqual([
        { sent: 2, refused_463_known: 2, refused_463_unknown: 1, refused_479: 1 },
        { sent: 1 },
      ]);
      expect(await counts(other)).toEqual([{ sent: 1 }]);
      // The two known people do not count against new chats.
      expect(JSON.parse((await health(slotId))?.refusals ?? '[]')).toEqual([NOON]);
    });

    it('make a person known with the first sent message, and no group', async () => {
      const [slotId, other] = [newSlot(), newSlot()];
      await know(
        { slot_id: slotId, person: ADA, written_at: 1, answered_at: 2 },
        { slot_id: other, person: ADA, written_at: 3 },
      );
      await settled({ slotId, isSent: true }, { slotId, isSent: true, to: GROUP }, { slotId, to: BEN });
      await settled({ slotId, isSent: true, at: NOON + 1 });
      const ada = { person: ADA, written_at: 1, reached_at: NOON, answered_at: 2 };
      expect(await people(slotId)).toEqual([ada]);
      expect(await people(other)).toEqual([
        { person: ADA, written_at: 3, reached_at: null, answered_at: null },
      ]);
      await settled({ slotId, isSent: true, to: BEN, at: NOON + 2 });
      const ben = { person: BEN, written_at: null, reached_at: NOON + 2, answered_at: null };
      expect(await people(slotId)).toEqual([ada, ben]);
    });

    it('make a person new again when the network refuses the chat, for this number only', async () => {
      const [slotId, other] = [newSlot(), newSlot()];
      await know(
        { slot_id: slotId, person: ADA, written_at: 1 },
        { slot_id: slotId, person: BEN, written_at: 1 },
        { slot_id: other, person: ADA, written_at: 1 },
      );
      await settled({ slotId, code: 463 }, { slotId, code: 479, to: BEN });
      expect((await people(slotId)).map(({ person }) => person)).toEqual([BEN]);
      expect(await people(other)).toHaveLength(1);
      expect(JSON.parse((await health(slotId))?.refusals ?? '[]')).toEqual([NOON]);
      expect(await health(other)).toBeUndefined();
    });

    it('keep a person known who was reached or has answered', async () => {
      const slotId = newSlot();
      await know(
        { slot_id: slotId, person: ADA, reached_at: 1 },
        { slot_id: slotId, person: BEN, answered_at: 1 },
      );
      await settled({ slotId, code: 463 }, { slotId, code: 463, to: BEN });
      expect((await people(slotId)).map(({ person }) => person)).toEqual([ADA, BEN]);
      expect(await health(slotId)).toBeUndefined();
    });

    it('restrict the number to known chats when its quota is used up, until the announced end or for an hour', async () => {
      const [slotId, other] = [newSlot(), newSlot()];
      await know(
        { slot_id: slotId, person: ADA, written_at: 1 },
        { slot_id: other, person: ADA, reached_at: 1 },
      );
      await settled({ slotId, code: 475 }, { slotId: other, code: 475 });
      expect(await people(slotId)).toEqual([]);
      expect(await states(slotId)).toEqual(['restricted']);
      const capped = { quota_warning: 'capped', quota_ends: NOON + HOUR, refusals: '[]', paused_until: null };
      expect(await health(slotId)).toMatchObject(capped);
      expect(await counts(slotId)).toEqual([]);
      await settled({ slotId, code: 475, at: NOON + 1 });
      expect(await health(slotId)).toMatchObject({ quota_ends: NOON + HOUR });
      await settled({ slotId, code: 475, at: NOON + 2 * HOUR });
      expect(await health(slotId)).toMatchObject({ quota_ends: NOON + 3 * HOUR });
      expect(await health(other)).toBeUndefined();
    });

    it('pause new chats when three are refused, each counted once', async () => {
      const [slotId, other] = [newSlot(), newSlot()];
      const refused = { code: 463 };
      await settled({ slotId, ...refused }, { slotId, ...refused }, { slotId: other, ...refused });
      expect(await states(slotId)).toEqual([]);
      await settled({ slotId, ...refused, to: BEN }, { slotId: other, ...refused, at: NOON + 2 * HOUR });
      expect(await states(slotId)).toEqual(['watch']);
      expect(await states(other)).toEqual([]);
      expect((await health(slotId))?.paused_until).toBe(NOON + HOUR);
      expect(await counts(slotId)).toEqual([{ refused_463_unknown: 3 }]);
    });
  },
  'shared by all tests',
  MODULES,
);
