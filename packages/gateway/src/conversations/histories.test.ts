import { expect, it, vi } from 'vitest';
import { createSystemClock } from '#kernel';
import { createLocalBus } from '#platform/bus';
import { describeOnEachDatabase } from '#testing';
import { choose, readChoice } from './choose.ts';
import { createChatBook } from './owner-actions.ts';
import { readChats, readMessage } from './reading.ts';
import { ADA, BEN, begin, beginOn, commandModules, message, START } from './testing/stage.ts';

const LOOKED_AGAIN_MS = 30_000;

describeOnEachDatabase(
  'the active histories in a process',
  (test) => {
    it('follow other processes, also after a lost message, until they are stopped', async () => {
      const stage = await begin(test.store);
      const elsewhere = await begin(test.store);
      const { histories, number, clock } = stage;
      const chooseOnOtherBus = (enabled: boolean) => {
        const bus = createLocalBus({ clock: createSystemClock() });
        return choose({ ...elsewhere.context, bus }, number, { enabled });
      };
      await histories.start();
      await chooseOnOtherBus(true);
      expect(histories.of(number.slotId)).toBeUndefined();
      clock.advance(LOOKED_AGAIN_MS);
      await vi.waitFor(() => expect(histories.of(number.slotId)).toBeDefined());
      await choose({ ...elsewhere.context, bus: stage.context.bus }, number, { enabled: false });
      await vi.waitFor(() => expect(histories.of(number.slotId)).toBeUndefined());

      await histories.stop();
      await choose({ ...elsewhere.context, bus: stage.context.bus }, number, { enabled: true });
      clock.advance(LOOKED_AGAIN_MS);
      // Behind any read that it may have begun.
      for (let look = 0; look < 2; look++) await histories.learn(elsewhere.number.slotId);
      expect(histories.of(number.slotId)).toBeUndefined();
    });

    it('keep earlier settings for absent fields', async () => {
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
  'marks and flags',
  (test) => {
    it('exist at once for a chat without messages, which counts as empty', async () => {
      const stage = await beginOn(test.store);
      await createChatBook(stage.context).flag(stage.number.slotId, BEN, { archived: 1 });
      const { chats } = await readChats(stage.context, stage.number.slotId, {});
      expect(chats).toMatchObject([{ jid: BEN, archived: true, pinned: false, unread: 0, messages: 0 }]);
      expect(await readChoice(stage.context, stage.number)).toMatchObject({ messages: 0, bytes: 0 });
    });

    it('go with their own message, and stay with those of the same id in another history', async () => {
      const [stage, another] = [await beginOn(test.store), await beginOn(test.store)];
      const likes = (id: string) => message({ type: 'reaction', text: '👍', reacted_message_id: id });
      for (const each of [stage, another])
        for (const id of ['SAME', 'OTHER']) {
          await each.receiveMessage(id, { message_id: id });
          await each.keep(likes(id));
        }
      await createChatBook(stage.context).deleteMessage(stage.number.slotId, ADA, 'SAME', false);
      const reactionsOf = async ({ context, number }: typeof stage, id: string) =>
        (await readMessage(context, number.slotId, id)).reactions?.map(({ emoji }) => emoji);
      expect(await reactionsOf(stage, 'OTHER')).toEqual(['👍']);
      expect(await reactionsOf(another, 'SAME')).toEqual(['👍']);
      // If it comes once more, it has no marks any more.
      await stage.receiveMessage('SAME', { message_id: 'SAME' });
      expect(await reactionsOf(stage, 'SAME')).toBeUndefined();
    });

    it('follow the last reaction of one moment, and receipts of own messages only', async () => {
      const stage = await beginOn(test.store);
      const { slotId } = stage.number;
      await stage.receiveMessage('Theirs', { message_id: 'THEIRS' });
      for (const text of ['👍', '❤️'])
        await stage.keep(message({ type: 'reaction', text, reacted_message_id: 'THEIRS' }));
      // A late one does not replace a newer one.
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

    it('wait for their message, whatever else came in its chat, deletions included', async () => {
      const [stage, another] = [await beginOn(test.store), await beginOn(test.store)];
      await stage.receiveMessage('Something else');
      await another.receiveMessage('Theirs', { message_id: 'LATE' });
      await stage.keep(message({ type: 'reaction', text: '👍', reacted_message_id: 'COMES' }));
      await stage.receiveMessage('', { type: 'other', revoked_message_id: 'LATE' });
      await stage.receiveMessage('Comes', { message_id: 'COMES' });
      await stage.receiveMessage('Taken back', { message_id: 'LATE' });
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
