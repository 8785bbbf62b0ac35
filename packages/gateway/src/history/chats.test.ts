import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '#testing';
import type { NumberKeeper } from './keeper.ts';
import { createChatBook } from './owner-actions.ts';
import { readChats } from './reading.ts';
import { ADA, BEN, beginOn, commandModules, START, type Stage, texts } from './testing/stage.ts';
import { keepEntries } from './write-commands.ts';

const NOW = START / 1_000;
type Change = Parameters<NumberKeeper['chat']>[0]['change'];

async function does({ store, histories, number }: Stage, change: Change, chat = ADA): Promise<void> {
  await store.run(keepEntries, histories.of(number.slotId)?.chat({ chat, change }) ?? []);
}

describeOnEachDatabase(
  'what the owner does with chats elsewhere',
  (test) => {
    const chatsOf = async ({ context, number }: Stage) => (await readChats(context, number.slotId, {})).chats;

    it('is seen in what the number keeps', async () => {
      const stage = await beginOn(test.store);
      await stage.hear('One');
      await does(stage, { type: 'archived', on: true });
      await does(stage, { type: 'pinned', on: true });
      await does(stage, { type: 'muted', until: (NOW + 60) * 1_000 });
      await does(stage, { type: 'archived', on: true }, BEN);
      expect(await chatsOf(stage)).toMatchObject([
        { jid: ADA, archived: true, pinned: true, muted: true, muted_until_unix: NOW + 60, unread: 1 },
        { jid: BEN, archived: true, pinned: false, muted: false, messages: 0 },
      ]);
      await does(stage, { type: 'archived', on: false });
      await does(stage, { type: 'muted', until: null });
      expect((await chatsOf(stage))[0]).toMatchObject({ archived: false, pinned: true, muted: false });
    });

    it('leaves unread what came after the owner has read', async () => {
      const stage = await beginOn(test.store);
      const unread = async () => (await chatsOf(stage))[0]?.unread;
      await stage.hear('Read', { timestamp_unix: NOW });
      await stage.hear('Not yet', { timestamp_unix: NOW + 5 });
      await does(stage, { type: 'read', on: true, upTo: NOW + 1 });
      expect(await unread()).toBe(1);
      await does(stage, { type: 'read', on: true, upTo: NOW + 6 });
      expect(await unread()).toBe(0);
      await does(stage, { type: 'read', on: false });
      expect(await unread()).toBe(1);
    });

    it('deletes up to the moment in which it was done, for good, and nothing that came since', async () => {
      const stage = await beginOn(test.store);
      const { slotId } = stage.number;
      await stage.hear('Gone', { message_id: 'GONE', timestamp_unix: NOW });
      await stage.hear('Since', { timestamp_unix: NOW + 5 });
      await does(stage, { type: 'deleted', upTo: NOW + 1 });
      expect(await texts(stage)).toEqual(['Since']);
      await createChatBook(stage.context).sweep(slotId, ADA);
      const rows = stage.store.read.selectFrom('history_messages').select('seq');
      expect(await rows.where('message_id', '=', 'GONE').execute()).toEqual([]);
      expect(await chatsOf(stage)).toMatchObject([{ messages: 1, unread: 1 }]);
      await does(stage, { type: 'cleared' });
      // The clock of this test stands still: that one lies ahead of it.
      expect(await texts(stage)).toEqual(['Since']);
      await does(stage, { type: 'cleared', upTo: NOW + 6 });
      expect(await texts(stage)).toEqual([]);
    });
  },
  'shared by all tests',
  commandModules,
);
