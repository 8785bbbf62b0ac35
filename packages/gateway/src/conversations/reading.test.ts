import { SEARCHED_PER_REQUEST } from '@parley/contract';
import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '#testing';
import { createChatBook } from './owner-actions.ts';
import { readChats, readMessages } from './reading.ts';
import { ADA, BEN, beginOn, commandModules, GROUP, message, START } from './testing/stage.ts';

describeOnEachDatabase(
  'reading a history',
  (test) => {
    it('pages in both directions without a gap, also within one moment', async () => {
      const stage = await beginOn(test.store);
      const all = Array.from({ length: 7 }, (_, place) => `m${place}`);
      await stage.keep(...all.map((text) => message({ text, message_id: text })));
      const { slotId } = stage.number;
      const read = (query: object) => readMessages(stage.context, slotId, ADA, { limit: 3, ...query });
      const first = await read({});
      const second = await read({ before: first.next_cursor });
      const third = await read({ before: second.next_cursor });
      expect([first, second, third].map((page) => page.messages.map(({ text }) => text))).toEqual([
        ['m6', 'm5', 'm4'],
        ['m3', 'm2', 'm1'],
        ['m0'],
      ]);
      expect(third.next_cursor).toBeNull();
      const forward = await read({ after: third.messages[0]?.cursor });
      expect(forward.messages.map(({ text }) => text)).toEqual(['m1', 'm2', 'm3']);
      const rest = await read({ after: forward.next_cursor });
      expect(rest).toMatchObject({
        messages: [{ text: 'm4' }, { text: 'm5' }, { text: 'm6' }],
        next_cursor: null,
      });
      await expect(read({ before: 'nonsense' })).rejects.toMatchObject({ code: 'cursor_invalid' });
      await expect(read({ after: 'a-a', q: 'x' })).rejects.toMatchObject({ code: 'invalid_field' });
    });

    it('lists chats by their newest message, page by page, with unread counts and flags', async () => {
      const stage = await beginOn(test.store);
      const { slotId } = stage.number;
      await stage.receiveMessage('Hello', { chat_jid: BEN, sender_jid: BEN });
      stage.clock.advance(5_000);
      await stage.receiveMessage('In the group', { chat_jid: GROUP, is_group: true });
      stage.clock.advance(5_000);
      await stage.receiveMessage('One');
      await stage.receiveMessage('Two');
      const page = await readChats(stage.context, slotId, { limit: 2 });
      expect(page.chats).toMatchObject([
        { jid: ADA, unread: 2, is_group: false, last_message: { text: 'Two' } },
        { jid: GROUP, unread: 1, is_group: true },
      ]);
      const rest = await readChats(stage.context, slotId, { limit: 2, cursor: page.next_cursor ?? '' });
      expect(rest).toMatchObject({ chats: [{ jid: BEN }], next_cursor: null });

      await stage.say('Answer');
      const book = createChatBook(stage.context);
      await book.flag(slotId, ADA, { archived: 1, pinned: 1, muted_until: -1 });
      await book.flag(slotId, BEN, { unread: 0, muted_until: (START / 1_000 + 60) * 1_000 });
      expect((await readChats(stage.context, slotId, {})).chats).toMatchObject([
        { jid: ADA, unread: 0, archived: true, pinned: true, muted: true },
        { jid: GROUP, unread: 1, archived: false, muted: false },
        { jid: BEN, unread: 0, muted: true, muted_until_unix: START / 1_000 + 60 },
      ]);
    });

    it('lists chats of one moment page by page without a gap', async () => {
      const stage = await beginOn(test.store);
      const none = await readChats(stage.context, stage.number.slotId, {});
      expect(none).toEqual({ chats: [], next_cursor: null });
      const jids = [3, 1, 4, 2].map((each) => `1555000300${each}@s.whatsapp.net`);
      for (const chat_jid of jids) await stage.receiveMessage('At once', { chat_jid, sender_jid: chat_jid });
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await readChats(stage.context, stage.number.slotId, { limit: 1, cursor });
        seen.push(...page.chats.map(({ jid }) => jid));
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
      expect(seen).toEqual(jids.toSorted().reverse());
    });

    it('finds current texts in a chat, in upper and lower case', async () => {
      const stage = await beginOn(test.store);
      await stage.receiveMessage('The invoice is late', { message_id: 'M1' });
      await stage.receiveMessage('What?', { message_id: 'M2' });
      await stage.keep(
        message({ type: 'other', message_id: 'E', edited_message_id: 'M2', text: 'Which Invoice?' }),
      );
      const { slotId } = stage.number;
      const found = await readMessages(stage.context, slotId, ADA, { q: 'INVOICE' });
      const gone = { ...stage.context, signal: AbortSignal.abort() };
      expect((await readMessages(gone, slotId, ADA, { q: 'INVOICE' })).messages).toEqual([]);
      expect(found.messages.map(({ message_id }) => message_id)).toEqual(['M2', 'M1']);
      const one = await readMessages(stage.context, slotId, ADA, { q: 'invoice', limit: 1 });
      const next = await readMessages(stage.context, slotId, ADA, {
        q: 'invoice',
        before: one.next_cursor ?? '',
      });
      expect(next.messages.map(({ message_id }) => message_id)).toEqual(['M1']);
      expect(await readMessages(stage.context, slotId, ADA, { q: 'nowhere' })).toEqual({
        messages: [],
        next_cursor: null,
      });
    });

    it('scans a bounded part of a chat at a time, and returns where to continue', async () => {
      const stage = await beginOn(test.store);
      const others = Array.from({ length: SEARCHED_PER_REQUEST }, (_, place) =>
        message({ text: 'other', message_id: `O${place}` }),
      );
      await stage.keep(message({ text: 'The invoice', message_id: 'FIRST' }), ...others);
      const find = (before?: string) =>
        readMessages(stage.context, stage.number.slotId, ADA, { q: 'invoice', before });
      const nothing = await find();
      expect(nothing).toEqual({ messages: [], next_cursor: expect.any(String) });
      const found = await find(nothing.next_cursor ?? '');
      expect(found.messages.map(({ message_id }) => message_id)).toEqual(['FIRST']);
      expect(found.next_cursor).toBeNull();
    });
  },
  'shared by all tests',
  commandModules,
);
