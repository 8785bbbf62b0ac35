import { expect, it, vi } from 'vitest';
import { createLocalBus } from '#bus';
import { createSystemClock } from '#kernel';
import { describeOnEachDatabase } from '#testing';
import { choose, readChoice } from './choose.ts';
import { createChatBook } from './owner-actions.ts';
import { readChats, readMessage } from './reading.ts';
import { ADA, BEN, begin, beginOn, commandModules, message, START } from './testing/stage.ts';

const LOOKED_AGAIN_MS = 30_000;

describeOnEachDatabase(
  'what a process knows of the numbers that keep conversations',
  (test) => {
    it('follows others, also when their word was lost, until it is stopped', async () => {
      const stage = await begin(test.store);
      const elsewhere = await begin(test.store);
      const { histories, number, clock } = stage;
      const chooseUnheard = (enabled: boolean) => {
        const bus = createLocalBus({ clock: createSystemClock() });
        return choose({ ...elsewhere.context, bus }, number, { enabled });
      };
      await histories.start();
      await chooseUnheard(true);
      expect(histories.of(number.slotId)).toBeUndefined();
      clock.advance(LOOKED_AGAIN_MS);
      await vi.waitFor(() => expect(histories.of(number.slotId)).toBeDefined());
      await choose({ ...elsewhere.context, bus: stage.context.bus }, number, { enabled: false });
      await vi.waitFor(() => expect(histories.of(number.slotId)).toBeUndefined());

      await histories.stop();
      await choose({ ...elsewhere.context, bus: stage.context.bus }, number, { enabled: true });
      clock.advance(LOOKED_AGAIN_MS);
      // Behind whatever it may have begun to look at.
      for (let look = 0; look < 2; look++) await histories.learn(elsewhere.number.slotId);
      expect(histories.of(number.slotId)).toBeUndefined();
    });

    it('keeps what was chosen before for what is not named', async () => {
      const stage = await beginOn(test.store);
      expect(await choose(stage.context, stage.number, { enabled: true, days: 3 })).toMatchObject({
        days: 3,
        media: true,
      });
      await choose(stage.context, stage.number, { enabled: true, media: false });
      expect(await choose(stage.context, stage.number, { enabled: true })).toMatchObject({
        days: 3,
        media: false,
      });
    });
  },
  'shared by all tests',
  commandModules,
);

describeOnEachDatabase(
  'what is said of chats and messages',
  (test) => {
    it('is there at once of a chat without messages, which counts as empty', async () => {
      const stage = await beginOn(test.store);
      await createChatBook(stage.context).flag(stage.number.slotId, BEN, { archived: 1 });
      const { chats } = await readChats(stage.context, stage.number.slotId, {});
      expect(chats).toMatchObject([{ jid: BEN, archived: true, pinned: false, unread: 0, messages: 0 }]);
      expect(await readChoice(stage.context, stage.number)).toMatchObject({ messages: 0, bytes: 0 });
    });

    it('goes with its message alone, and stays with those of the same id that another number keeps', async () => {
      const [stage, another] = [await beginOn(test.store), await beginOn(test.store)];
      const likes = (id: string) => message({ type: 'reaction', text: '👍', reacted_message_id: id });
      for (const each of [stage, another])
        for (const id of ['SAME', 'OTHER']) {
          await each.hear(id, { message_id: id });
          await each.keep(likes(id));
        }
      await createChatBook(stage.context).deleteMessage(stage.number.slotId, ADA, 'SAME', false);
      const reactionsOf = async ({ context, number }: typeof stage, id: string) =>
        (await readMessage(context, number.slotId, id)).reactions?.map(({ emoji }) => emoji);
      expect(await reactionsOf(stage, 'OTHER')).toEqual(['👍']);
      expect(await reactionsOf(another, 'SAME')).toEqual(['👍']);
      // Should it be told once more, nothing is said of it any more.
      await stage.hear('SAME', { message_id: 'SAME' });
      expect(await reactionsOf(stage, 'SAME')).toBeUndefined();
    });

    it('follows the last reaction of one moment, and receipts of own messages alone', async () => {
      const stage = await beginOn(test.store);
      const { slotId } = stage.number;
      await stage.hear('Theirs', { message_id: 'THEIRS' });
      for (const text of ['👍', '❤️'])
        await stage.keep(message({ type: 'reaction', text, reacted_message_id: 'THEIRS' }));
      // Told late, it does not take the place of a newer one.
      const late = { text: '😮', reacted_message_id: 'THEIRS', timestamp_unix: START / 1_000 - 60 };
      await stage.keep(message({ type: 'reaction', ...late }));
      await stage.receive('THEIRS', ADA, 'read');
      const kept = await readMessage(stage.context, slotId, 'THEIRS');
      expect(kept.reactions).toMatchObject([{ jid: ADA, emoji: '❤️' }]);
      expect(kept).not.toHaveProperty('status');
      const [{ historyId = '' } = {}] = stage.entriesOf(message({ text: 'x' }));
      const marks = stage.store.read.selectFrom('history_marks').select('kind');
      expect(await marks.where('history_id', '=', historyId).execute()).toEqual([{ kind: 'reaction' }]);
    });

    it('waits for its message, whatever else came in its chat, and also when it takes the message back', async () => {
      const [stage, another] = [await beginOn(test.store), await beginOn(test.store)];
      await stage.hear('Something else');
      await another.hear('Theirs', { message_id: 'LATE' });
      await stage.keep(message({ type: 'reaction', text: '👍', reacted_message_id: 'COMES' }));
      await stage.hear('', { type: 'other', revoked_message_id: 'LATE' });
      await stage.hear('Comes', { message_id: 'COMES' });
      await stage.hear('Taken back', { message_id: 'LATE' });
      expect(await readMessage(stage.context, stage.number.slotId, 'COMES')).toMatchObject({
        reactions: [{ emoji: '👍' }],
      });
      expect(await readMessage(stage.context, stage.number.slotId, 'LATE')).toMatchObject({
        text: '',
        revoked_at_unix: expect.any(Number),
      });
    });
  },
  'shared by all tests',
  commandModules,
);
