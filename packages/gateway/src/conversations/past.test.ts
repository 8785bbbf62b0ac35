import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '#testing';
import { choose, readChoice } from './choose.ts';
import type { PastKeeper } from './keeper.ts';
import { forgetChat } from './owner-actions.ts';
import { readChats, readMessage } from './reading.ts';
import {
  ADA,
  BEN,
  beginOn,
  commandModules,
  DAY_MS,
  GROUP,
  ME,
  message,
  START,
  type Stage,
  texts,
} from './testing/stage.ts';
import { type HistoryEntry, keepEntries } from './write-commands.ts';

const NOW = START / 1_000;
const chat = { upTo: 0, unread: 0, archived: false, pinned: false, mutedUntil: null };

async function keepPast(
  { store, histories, number }: Stage,
  make: (past: PastKeeper) => readonly (readonly HistoryEntry[])[],
): Promise<void> {
  const keeper = histories.of(number.slotId);
  if (keeper) await store.run(keepEntries, make(keeper.past).flat());
}

describeOnEachDatabase(
  'the imported history of a number',
  (test) => {
    const chatsOf = async ({ context, number }: Stage) => (await readChats(context, number.slotId, {})).chats;

    it('is stored once however often it is sent, in its original order and age', async () => {
      const stage = await beginOn(test.store);
      await stage.receiveMessage('Live', { message_id: 'LIVE' });
      const old = { timestamp_unix: NOW - 60 };
      // Phones send the newest first.
      const messages = [
        message({ text: 'Live', message_id: 'LIVE' }),
        message({ text: 'Second', message_id: 'P2', ...old }),
        message({ text: 'First', message_id: 'P1', ...old }),
        message({ text: 'Too old', message_id: 'P0', timestamp_unix: NOW - 91 * 86_400 }),
        message({ text: 'Disappeared', ephemeral_seconds: 30, ...old }),
      ];
      for (const _ of ['once', 'again after a crash'])
        await keepPast(stage, (past) => messages.map((each) => past.message(each, undefined)));
      expect(await texts(stage)).toEqual(['Live', 'Second', 'First']);
      expect(await chatsOf(stage)).toMatchObject([{ messages: 3, unread: 1 }]);
    });

    it('has the state of a chat, once, plus the messages that came since', async () => {
      const stage = await beginOn(test.store);
      await stage.receiveMessage('Since', { timestamp_unix: NOW });
      const owned = { ...chat, chat: ADA, upTo: NOW - 5, unread: 2, archived: true, pinned: true };
      const muted = { ...owned, mutedUntil: -1 };
      await keepPast(stage, (past) => [
        past.chat(muted),
        past.chat({ ...chat, chat: BEN, unread: 1, upTo: NOW }),
      ]);
      expect(await chatsOf(stage)).toMatchObject([
        { jid: ADA, unread: 3, archived: true, pinned: true, muted: true },
        { jid: BEN, unread: 1, messages: 0 },
      ]);
      await stage.say('Answered');
      await keepPast(stage, (past) => [past.chat(muted)]);
      expect((await chatsOf(stage))[0]).toMatchObject({ unread: 0, archived: true });
      // Late: the number has written itself meanwhile.
      await stage.say('Hello', { chat_jid: GROUP, is_group: true });
      await keepPast(stage, (past) => [past.chat({ ...chat, chat: GROUP, upTo: NOW - 5, unread: 7 })]);
      expect((await chatsOf(stage)).find(({ jid }) => jid === GROUP)).toMatchObject({ unread: 0 });
    });

    it('keeps later changes of a chat when the phone sends it once more', async () => {
      const stage = await beginOn(test.store);
      const archived = { ...chat, chat: ADA, upTo: NOW - 5, unread: 2, archived: true };
      await keepPast(stage, (past) => [past.chat(archived)]);
      const unarchived = { chat: ADA, change: { type: 'archived', on: false } } as const;
      const read = { chat: ADA, change: { type: 'read', on: true } } as const;
      const keeper = stage.histories.of(stage.number.slotId);
      for (const change of [unarchived, read]) await stage.store.run(keepEntries, keeper?.chat(change) ?? []);
      await keepPast(stage, (past) => [past.chat(archived)]);
      expect(await chatsOf(stage)).toMatchObject([{ jid: ADA, archived: false, unread: 0 }]);
    });

    it('counts a message of the last second of the phone’s unread count once', async () => {
      const stage = await beginOn(test.store);
      const unread = async () => (await chatsOf(stage))[0]?.unread;
      stage.clock.advance(999);
      await stage.receiveMessage('The last of its second', { timestamp_unix: NOW });
      await keepPast(stage, (past) => [past.chat({ ...chat, chat: ADA, upTo: NOW, unread: 1 })]);
      expect(await unread()).toBe(1);
    });

    it('has the state of an own message, and a deleted message that is sent again', async () => {
      const stage = await beginOn(test.store);
      const { slotId } = stage.number;
      const own = { from_me: true, sender_jid: ME, timestamp_unix: NOW - 9 };
      await stage.keep(message({ type: 'other', message_id: 'X', revoked_message_id: 'GONE' }));
      await keepPast(stage, (past) => [
        past.message(message({ ...own, message_id: 'OWN', text: 'Ready' }), 'read'),
        past.message(message({ type: 'reaction', reacted_message_id: 'OWN', text: '👍' }), undefined),
        past.message(message({ message_id: 'GONE', text: 'Regretted', timestamp_unix: NOW - 9 }), undefined),
      ]);
      await stage.receive('OWN', ADA, 'delivered');
      expect(await readMessage(stage.context, slotId, 'OWN')).toMatchObject({
        status: 'read',
        reactions: [{ emoji: '👍' }],
        receipts: [{ jid: ADA, receipt_type: 'delivered' }],
      });
      expect(await texts(stage)).not.toContain('Regretted');
    });

    it('restores nothing that the owner has deleted since, and is deleted with the rest', async () => {
      const stage = await beginOn(test.store);
      await stage.receiveMessage('Last', { message_id: 'LAST' });
      await forgetChat(stage.context, stage.number.slotId, ADA);
      const old = message({ text: 'Old', timestamp_unix: NOW - 60 });
      const last = message({ text: 'Last', message_id: 'LAST' });
      await keepPast(stage, (past) => [past.message(old, undefined), past.message(last, undefined)]);
      expect(await texts(stage)).toEqual([]);
      expect(await readChoice(stage.context, stage.number)).toMatchObject({ messages: 0 });
      const other = await beginOn(test.store);
      await keepPast(other, (past) => [past.message(old, undefined)]);
      expect(await texts(other)).toEqual(['Old']);
      // No message of another chat was deleted.
      const ofBen = { ...old, message_id: 'OF BEN', chat_jid: BEN, sender_jid: BEN };
      await keepPast(stage, (past) => [past.message(ofBen, undefined)]);
      expect(await texts(stage, BEN)).toEqual(['Old']);
      const running = { importId: 'i', state: 'running', progress: 50, messages: 1, chats: 0 } as const;
      await keepPast(stage, (past) => [past.progress(running)]);
      await choose(stage.context, stage.number, { enabled: false });
      const imports = stage.store.read.selectFrom('history_imports').select('import_id');
      expect(await imports.where('import_id', '=', 'i').execute()).toEqual([]);
    });

    it('reports its progress part by part, and never goes back', async () => {
      const stage = await beginOn(test.store);
      const shown = async () => (await readChoice(stage.context, stage.number)).import;
      expect(await shown()).toBeUndefined();
      const part = { importId: 'a', progress: 50, chats: 2, messages: 400 };
      const later = { importId: 'b', progress: 100, chats: 0, messages: 10 };
      await keepPast(stage, (past) => [past.progress({ ...part, state: 'done' })]);
      expect(await shown()).toMatchObject({ state: 'done', progress: 50, messages: 400 });
      stage.clock.advance(DAY_MS);
      await keepPast(stage, (past) => [past.progress({ ...later, state: 'running' })]);
      await keepPast(stage, (past) => [past.progress({ ...part, messages: 200, state: 'running' })]);
      const from = { started_at_unix: NOW, updated_at_unix: NOW + DAY_MS / 1_000 };
      expect(await shown()).toEqual({ state: 'running', progress: 100, messages: 410, ...from });
      await keepPast(stage, (past) => [past.progress({ ...later, state: 'done' })]);
      expect(await shown()).toMatchObject({ state: 'done' });
    });
  },
  'shared by all tests',
  commandModules,
);
