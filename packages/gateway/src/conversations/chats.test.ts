import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '#testing';
import type { NumberKeeper } from './keeper.ts';
import { createChatBook } from './owner-actions.ts';
import { readChats, readMessage, readMessages } from './reading.ts';
import { ADA, BEN, begin, beginOn, commandModules, START, type Stage, texts } from './testing/stage.ts';
import { keepEntries } from './write-commands.ts';

const NOW = START / 1_000;
type Change = Parameters<NumberKeeper['chat']>[0]['change'];

async function does({ store, histories, number }: Stage, change: Change, chat = ADA): Promise<void> {
  await store.run(keepEntries, histories.of(number.slotId)?.chat({ chat, change }) ?? []);
}

describeOnEachDatabase(
  'actions of the owner on chats elsewhere',
  (test) => {
    const chatsOf = async ({ context, number }: Stage) => (await readChats(context, number.slotId, {})).chats;

    it('change the history of the number', async () => {
      const stage = await beginOn(test.store);
      await stage.receiveMessage('One');
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

    it('keep messages unread that arrived after the read marker', async () => {
      const stage = await beginOn(test.store);
      const unread = async () => (await chatsOf(stage))[0]?.unread;
      await stage.receiveMessage('Read', { timestamp_unix: NOW });
      await stage.receiveMessage('Not yet', { timestamp_unix: NOW + 5 });
      await does(stage, { type: 'read', on: true, upTo: NOW + 1 });
      expect(await unread()).toBe(1);
      await does(stage, { type: 'read', on: true, upTo: NOW + 6 });
      expect(await unread()).toBe(0);
      await does(stage, { type: 'read', on: false });
      expect(await unread()).toBe(1);
    });

    it('mark messages of the last second of the read marker as read', async () => {
      const stage = await beginOn(test.store);
      const unread = async () => (await chatsOf(stage))[0]?.unread;
      stage.clock.advance(999);
      await stage.receiveMessage('The last of its second', { timestamp_unix: NOW });
      await does(stage, { type: 'read', on: true, upTo: NOW });
      expect(await unread()).toBe(0);
      stage.clock.advance(1);
      await stage.receiveMessage('The first of the next', { timestamp_unix: NOW + 1 });
      await does(stage, { type: 'read', on: true, upTo: NOW });
      expect(await unread()).toBe(1);
    });

    it('hide deleted messages while they are still on the disk', async () => {
      const stage = await beginOn(test.store);
      const { slotId } = stage.number;
      const read = (query: object) => readMessages(stage.context, slotId, ADA, query);
      await stage.receiveMessage('Gone', { message_id: 'HIDDEN', timestamp_unix: NOW });
      const [{ cursor = '' } = {}] = (await read({})).messages;
      await does(stage, { type: 'deleted', upTo: NOW });
      expect((await chatsOf(stage))[0]?.last_message).toBeUndefined();
      await expect(readMessage(stage.context, slotId, 'HIDDEN')).rejects.toMatchObject({
        code: 'message_not_found',
      });
      await stage.receiveMessage('Since', { timestamp_unix: NOW + 5 });
      const rows = stage.store.read.selectFrom('history_messages').select('seq');
      expect(await rows.where('message_id', '=', 'HIDDEN').execute()).toHaveLength(1);
      const earlier = `${(START - 1).toString(36)}-1`;
      for (const query of [{}, { after: cursor }, { after: earlier }, { q: 'n' }])
        expect((await read(query)).messages.map(({ text }) => text)).toEqual(['Since']);
      expect((await chatsOf(stage))[0]?.last_message).toMatchObject({ text: 'Since' });
    });

    it('delete a whole chat through the API, and nothing without a history', async () => {
      const stage = await beginOn(test.store);
      const { slotId } = stage.number;
      await stage.receiveMessage('With Ada');
      await stage.receiveMessage('With Ben', { chat_jid: BEN, sender_jid: BEN });
      const book = createChatBook(stage.context);
      await book.deleteChat(slotId, ADA);
      expect(await texts(stage)).toEqual([]);
      expect(await texts(stage, BEN)).toEqual(['With Ben']);
      await book.deleteChat(slotId, 'unknown@s.whatsapp.net');
      const without = await begin(test.store);
      await book.deleteChat(without.number.slotId, BEN);
      expect(await texts(stage, BEN)).toEqual(['With Ben']);
    });

    it('delete messages up to the moment of the action, for good, and none that came since', async () => {
      const stage = await beginOn(test.store);
      const { slotId } = stage.number;
      await stage.receiveMessage('Gone', { message_id: 'GONE', timestamp_unix: NOW });
      await stage.receiveMessage('Since', { timestamp_unix: NOW + 5 });
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
