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

async function tell(
  { store, histories, number }: Stage,
  make: (past: PastKeeper) => readonly (readonly HistoryEntry[])[],
): Promise<void> {
  const keeper = histories.of(number.slotId);
  if (keeper) await store.run(keepEntries, make(keeper.past).flat());
}

describeOnEachDatabase(
  'the past of a number',
  (test) => {
    const chatsOf = async ({ context, number }: Stage) => (await readChats(context, number.slotId, {})).chats;

    it('is there once however often it is told, in the order in which it was said, and as old as it is', async () => {
      const stage = await beginOn(test.store);
      await stage.hear('Live', { message_id: 'LIVE' });
      const old = { timestamp_unix: NOW - 60 };
      // Phones tell the newest first.
      const told = [
        message({ text: 'Live', message_id: 'LIVE' }),
        message({ text: 'Second', message_id: 'P2', ...old }),
        message({ text: 'First', message_id: 'P1', ...old }),
        message({ text: 'Too old', message_id: 'P0', timestamp_unix: NOW - 91 * 86_400 }),
        message({ text: 'Gone by itself', ephemeral_seconds: 30, ...old }),
      ];
      for (const _ of ['once', 'again after a crash'])
        await tell(stage, (past) => told.map((each) => past.message(each, undefined)));
      expect(await texts(stage)).toEqual(['Live', 'Second', 'First']);
      expect(await chatsOf(stage)).toMatchObject([{ messages: 3, unread: 1 }]);
    });

    it('says how the owner has a chat, once, and counts what came since on top', async () => {
      const stage = await beginOn(test.store);
      await stage.hear('Since', { timestamp_unix: NOW });
      const owned = { ...chat, chat: ADA, upTo: NOW - 5, unread: 2, archived: true, pinned: true };
      const told = { ...owned, mutedUntil: -1 };
      await tell(stage, (past) => [past.chat(told), past.chat({ ...chat, chat: BEN, unread: 1, upTo: NOW })]);
      expect(await chatsOf(stage)).toMatchObject([
        { jid: ADA, unread: 3, archived: true, pinned: true, muted: true },
        { jid: BEN, unread: 1, messages: 0 },
      ]);
      await stage.say('Answered');
      await tell(stage, (past) => [past.chat(told)]);
      expect((await chatsOf(stage))[0]).toMatchObject({ unread: 0, archived: true });
      // Told late, when the number has written itself.
      await stage.say('Hello', { chat_jid: GROUP, is_group: true });
      await tell(stage, (past) => [past.chat({ ...chat, chat: GROUP, upTo: NOW - 5, unread: 7 })]);
      expect((await chatsOf(stage)).find(({ jid }) => jid === GROUP)).toMatchObject({ unread: 0 });
    });

    it('leaves a chat as its owner has had it since, when the phone tells the same once more', async () => {
      const stage = await beginOn(test.store);
      const told = { ...chat, chat: ADA, upTo: NOW - 5, unread: 2, archived: true };
      await tell(stage, (past) => [past.chat(told)]);
      const unarchived = { chat: ADA, change: { type: 'archived', on: false } } as const;
      const read = { chat: ADA, change: { type: 'read', on: true } } as const;
      const keeper = stage.histories.of(stage.number.slotId);
      for (const change of [unarchived, read]) await stage.store.run(keepEntries, keeper?.chat(change) ?? []);
      await tell(stage, (past) => [past.chat(told)]);
      expect(await chatsOf(stage)).toMatchObject([{ jid: ADA, archived: false, unread: 0 }]);
    });

    it('counts a message of the second up to which the phone has told what is unread once', async () => {
      const stage = await beginOn(test.store);
      const unread = async () => (await chatsOf(stage))[0]?.unread;
      stage.clock.advance(999);
      await stage.hear('The last of its second', { timestamp_unix: NOW });
      await tell(stage, (past) => [past.chat({ ...chat, chat: ADA, upTo: NOW, unread: 1 })]);
      expect(await unread()).toBe(1);
    });

    it('knows how far an own message came, and what is told of one that was deleted', async () => {
      const stage = await beginOn(test.store);
      const { slotId } = stage.number;
      const own = { from_me: true, sender_jid: ME, timestamp_unix: NOW - 9 };
      await stage.keep(message({ type: 'other', message_id: 'X', revoked_message_id: 'GONE' }));
      await tell(stage, (past) => [
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

    it('brings nothing back that the owner has deleted since, and goes with the rest', async () => {
      const stage = await beginOn(test.store);
      await stage.hear('Last', { message_id: 'LAST' });
      await forgetChat(stage.context, stage.number.slotId, ADA);
      const old = message({ text: 'Old', timestamp_unix: NOW - 60 });
      const last = message({ text: 'Last', message_id: 'LAST' });
      await tell(stage, (past) => [past.message(old, undefined), past.message(last, undefined)]);
      expect(await texts(stage)).toEqual([]);
      expect(await readChoice(stage.context, stage.number)).toMatchObject({ messages: 0 });
      // Of another chat nothing was deleted.
      const ofBen = { ...old, message_id: 'OF BEN', chat_jid: BEN, sender_jid: BEN };
      await tell(stage, (past) => [past.message(ofBen, undefined)]);
      expect(await texts(stage, BEN)).toEqual(['Old']);
      const running = { importId: 'i', state: 'running', progress: 50, messages: 1, chats: 0 } as const;
      await tell(stage, (past) => [past.progress(running)]);
      await choose(stage.context, stage.number, { enabled: false });
      const imports = stage.store.read.selectFrom('history_imports').select('import_id');
      expect(await imports.where('import_id', '=', 'i').execute()).toEqual([]);
    });

    it('shows how far it has been taken, part by part, and does not go back', async () => {
      const stage = await beginOn(test.store);
      const shown = async () => (await readChoice(stage.context, stage.number)).import;
      expect(await shown()).toBeUndefined();
      const part = { importId: 'a', progress: 50, chats: 2, messages: 400 };
      const later = { importId: 'b', progress: 100, chats: 0, messages: 10 };
      await tell(stage, (past) => [past.progress({ ...part, state: 'done' })]);
      stage.clock.advance(DAY_MS);
      await tell(stage, (past) => [past.progress({ ...later, state: 'running' })]);
      await tell(stage, (past) => [past.progress({ ...part, messages: 200, state: 'running' })]);
      const from = { started_at_unix: NOW, updated_at_unix: NOW + DAY_MS / 1_000 };
      expect(await shown()).toEqual({ state: 'running', progress: 100, messages: 410, ...from });
      await tell(stage, (past) => [past.progress({ ...later, state: 'done' })]);
      expect(await shown()).toMatchObject({ state: 'done' });
    });
  },
  'shared by all tests',
  commandModules,
);
