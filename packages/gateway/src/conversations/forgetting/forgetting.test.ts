import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeOnEachDatabase, useStore } from '#testing';
import { choose, readChoice } from '../choose.ts';
import { createChatBook, forgetChat } from '../owner-actions.ts';
import { readChats, readMessage, readMessages } from '../reading.ts';
import {
  ADA,
  BEN,
  beginOn,
  commandModules,
  DAY_MS,
  message,
  START,
  type Stage,
  texts,
} from '../testing/stage.ts';
import { keepEntries } from '../write-commands.ts';
import { dropWhatIsOver, trimAll } from './retention.ts';

describeOnEachDatabase(
  'deletion of a history',
  (test) => {
    it('deletes messages by age, by the timer of their chat and by size, the oldest first', async () => {
      const stage = await beginOn(test.store);
      const { slotId } = stage.number;
      await choose(stage.context, stage.number, { enabled: true, days: 2 });
      await stage.receiveMessage('Old');
      await stage.keep(message({ text: 'Disappears', message_id: 'D', ephemeral_seconds: 3_600 }));
      stage.clock.advance(3_600_000 - 1);
      await dropWhatIsOver({ ...stage.context, clock: stage.clock });
      expect(await texts(stage)).toEqual(['Disappears', 'Old']);
      stage.clock.advance(1);
      await dropWhatIsOver({ ...stage.context, clock: stage.clock });
      expect(await texts(stage)).toEqual(['Old']);
      stage.clock.advance(DAY_MS);
      await stage.receiveMessage('New', { timestamp_unix: stage.clock.now() / 1_000 });
      stage.clock.advance(DAY_MS);
      await trimAll({ ...stage.context, clock: stage.clock });
      expect(await texts(stage)).toEqual(['New']);
      for (let count = 0; count < 150; count++)
        await stage.receiveMessage(`n${count}`, { timestamp_unix: Math.floor(stage.clock.now() / 1_000) });
      // A chat without messages goes back furthest, and has nothing to delete.
      await createChatBook(stage.context).flag(slotId, BEN, { archived: 1 });
      const { bytes } = await readChoice(stage.context, stage.number);
      await trimAll({ ...stage.context, maxBytes: bytes - 1, clock: stage.clock });
      const kept = await readMessages(stage.context, slotId, ADA, { limit: 100 });
      expect(kept.messages).toHaveLength(51);
      expect(kept.messages[0]).toMatchObject({ text: 'n149' });
      expect(await readChoice(stage.context, stage.number)).toMatchObject({ messages: 51 });
    });

    it('deletes old messages of any number of chats in one run, and does not rescan chats without old ones', async () => {
      const stage = await beginOn(test.store);
      await choose(stage.context, stage.number, { enabled: true, days: 2 });
      const now = () => stage.clock.now() / 1_000;
      const inChat = (place: number, message_id: string) => {
        const jid = `1555${place}@s.whatsapp.net`;
        return message({ text: 'x', message_id, chat_jid: jid, sender_jid: jid, timestamp_unix: now() });
      };
      const chats = Array.from({ length: 250 }, (_, place) => place);
      await stage.keep(...chats.map((place) => inChat(place, `OLD${place}`)));
      stage.clock.advance(1_000);
      // These lose something first, and have no more old messages for days.
      await stage.keep(...chats.slice(0, 120).map((place) => inChat(place, `OLDER${place}`)));
      stage.clock.advance(DAY_MS);
      await stage.keep(...chats.map((place) => inChat(place, `NEW${place}`)));
      const left = async () => (await readChoice(stage.context, stage.number)).messages;
      expect(await left()).toBe(620);
      stage.clock.advance(DAY_MS);
      await trimAll({ ...stage.context, clock: stage.clock });
      expect(await left()).toBe(250);
      const looked = stage.store.read
        .selectFrom('history_chats')
        .select('chat')
        .where('oldest_at', '<=', stage.clock.now() - 2 * DAY_MS)
        .where('history_id', '=', stage.entriesOf(message({ text: 'x' }))[0]?.historyId ?? '');
      expect(await looked.execute()).toEqual([]);
      stage.clock.advance(DAY_MS + 1_000);
      await trimAll({ ...stage.context, clock: stage.clock });
      expect(await left()).toBe(0);
    });

    it('deletes marks on messages that never came, at the age of these messages', async () => {
      const stage = await beginOn(test.store);
      await choose(stage.context, stage.number, { enabled: true, days: 2 });
      const [{ historyId = '' } = {}] = stage.entriesOf(message({ text: 'x' }));
      const marks = async () => {
        const rows = stage.store.read.selectFrom('history_marks').select('target_id');
        return (await rows.where('history_id', '=', historyId).execute()).map(({ target_id }) => target_id);
      };
      const edit = { type: 'other', text: 'better', chat_jid: BEN, sender_jid: BEN } as const;
      const reactions = Array.from({ length: 600 }, (_, place) =>
        message({ type: 'reaction', text: '👍', reacted_message_id: `NEVER${place}` }),
      );
      await stage.keep(message({ ...edit, edited_message_id: 'NEVER' }), ...reactions);
      const later = START / 1_000 + 86_400;
      await stage.keep(message({ ...edit, edited_message_id: 'YOUNG', timestamp_unix: later }));
      stage.clock.advance(2 * DAY_MS - 1_000);
      await trimAll({ ...stage.context, clock: stage.clock });
      expect(await marks()).toHaveLength(602);
      stage.clock.advance(3_000);
      await trimAll({ ...stage.context, clock: stage.clock });
      expect(await marks()).toEqual(['YOUNG']);
    });

    it('remembers the deletion of a message that never came for thirty days', async () => {
      const stage = await beginOn(test.store);
      await stage.keep(message({ type: 'other', revoked_message_id: 'NEVER' }));
      const traces = async () => {
        const rows = stage.store.read.selectFrom('history_messages').select('message_id');
        const [{ historyId = '' } = {}] = stage.entriesOf(message({ text: 'x' }));
        return (await rows.where('history_id', '=', historyId).execute()).length;
      };
      stage.clock.advance(30 * DAY_MS - 1);
      await dropWhatIsOver({ ...stage.context, clock: stage.clock });
      expect(await traces()).toBe(1);
      stage.clock.advance(1);
      await dropWhatIsOver({ ...stage.context, clock: stage.clock });
      expect(await traces()).toBe(0);
    });

    it('keeps messages of the same millisecond in which their chat is deleted, as unread', async () => {
      const stage = await beginOn(test.store);
      const unread = async () => (await readChats(stage.context, stage.number.slotId, {})).chats[0]?.unread;
      await stage.receiveMessage('Deleted');
      await stage.receiveMessage('Deleted too');
      expect(await unread()).toBe(2);
      await forgetChat(stage.context, stage.number.slotId, ADA);
      expect(await unread()).toBe(0);
      await stage.receiveMessage('Since');
      await trimAll({ ...stage.context, clock: stage.clock });
      expect(await texts(stage)).toEqual(['Since']);
      expect(await unread()).toBe(1);
    });

    it('deletes one chat, one message, and all of it when it is switched off', async () => {
      const stage = await beginOn(test.store);
      const { slotId } = stage.number;
      await stage.receiveMessage('With Ada', { message_id: 'M1' });
      await stage.receiveMessage('With Ben', { chat_jid: BEN, sender_jid: BEN });
      await stage.keep(message({ type: 'reaction', text: '👍', message_id: 'R', reacted_message_id: 'M1' }));
      await forgetChat(stage.context, slotId, ADA);
      expect(await texts(stage)).toEqual([]);
      await expect(readMessage(stage.context, slotId, 'M1')).rejects.toMatchObject({
        code: 'message_not_found',
      });
      await stage.receiveMessage('Ada again', { message_id: 'M9' });
      expect(await texts(stage)).toEqual(['Ada again']);
      await createChatBook(stage.context).deleteMessage(slotId, ADA, 'M9', false);
      expect(await texts(stage)).toEqual([]);
      expect(await texts(stage, BEN)).toEqual(['With Ben']);

      const late = stage.entriesOf(message({ text: 'On its way', message_id: 'M10' }));
      const historyId = late[0]?.historyId ?? '';
      expect(await choose(stage.context, stage.number, { enabled: false })).toMatchObject({
        enabled: false,
        messages: 0,
      });
      // Entries made for it before are not stored any more.
      await stage.store.run(keepEntries, late);
      for (const table of ['history_messages', 'history_marks', 'history_chats'] as const) {
        const rows = stage.store.read.selectFrom(table).select('chat').where('history_id', '=', historyId);
        expect(await rows.execute(), table).toEqual([]);
      }
      await choose(stage.context, stage.number, { enabled: true });
      expect(await texts(stage, BEN)).toEqual([]);
      await expect(choose(stage.context, stage.number, { enabled: false, days: 3 })).rejects.toMatchObject({
        code: 'invalid_field',
      });
    });

    it('is completed by the next run, however large the history is', async () => {
      const stage = await beginOn(test.store);
      await stage.receiveMessage('One');
      const [entry] = stage.entriesOf(message({ text: 'x' }));
      const { historyId = '' } = entry ?? {};
      await stage.store.transaction((trx) =>
        trx.updateTable('histories').set({ ended_at: START }).where('id', '=', historyId).execute(),
      );
      await dropWhatIsOver({ ...stage.context, clock: stage.clock });
      const left = stage.store.read.selectFrom('histories').select('id').where('id', '=', historyId);
      expect(await left.execute()).toEqual([]);
      const rows = stage.store.read
        .selectFrom('history_messages')
        .select('chat')
        .where('history_id', '=', historyId);
      expect(await rows.execute()).toEqual([]);
    });
  },
  'shared by all tests',
  commandModules,
);

describe('the database file (SQLite)', () => {
  const test = useStore('SQLite', 'new for each test', commandModules);

  /**
   * Whether the sealed content of the one message is anywhere in the files; without its first bytes, which all boxes
   * have in common.
   */
  async function boxOf({ store }: Stage): Promise<() => boolean> {
    const row = await store.read.selectFrom('history_messages').select('sealed').executeTakeFirstOrThrow();
    const box = Buffer.from(row.sealed ?? []).subarray(-48);
    expect(box).toHaveLength(48);
    const path = test.url.slice('sqlite:'.length);
    return () => [path, `${path}-wal`].some((file) => readFileSync(file).includes(box));
  }

  it('has no trace of a message that is too old', async () => {
    const stage = await beginOn(test.store);
    await stage.receiveMessage('Old');
    const isThere = await boxOf(stage);
    expect(isThere()).toBe(true);
    stage.clock.advance(400 * DAY_MS);
    await trimAll({ ...stage.context, clock: stage.clock });
    expect(isThere()).toBe(false);
  });

  it('has no trace of a message that its owner deletes', async () => {
    const stage = await beginOn(test.store);
    await stage.receiveMessage('Deleted', { message_id: 'M1' });
    const isThere = await boxOf(stage);
    expect(isThere()).toBe(true);
    await createChatBook(stage.context).deleteMessage(stage.number.slotId, ADA, 'M1', false);
    expect(isThere()).toBe(false);
  });

  it('has no trace of a message that disappears', async () => {
    const stage = await beginOn(test.store);
    await stage.keep(message({ text: 'Disappears', ephemeral_seconds: 60 }));
    const isThere = await boxOf(stage);
    expect(isThere()).toBe(true);
    stage.clock.advance(60_000);
    await dropWhatIsOver({ ...stage.context, clock: stage.clock });
    expect(isThere()).toBe(false);
  });

  it('has no trace of a chat that its owner deletes, nor of a history that is switched off', async () => {
    const stage = await beginOn(test.store);
    await stage.receiveMessage('With Ada');
    const isChatThere = await boxOf(stage);
    await forgetChat(stage.context, stage.number.slotId, ADA);
    expect(isChatThere()).toBe(false);
    await stage.receiveMessage('With Ben', { chat_jid: BEN, sender_jid: BEN });
    const isHistoryThere = await boxOf(stage);
    expect(isHistoryThere()).toBe(true);
    await choose(stage.context, stage.number, { enabled: false });
    expect(isHistoryThere()).toBe(false);
  });
});
