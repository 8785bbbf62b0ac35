import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '#testing';
import { choose, readChoice } from './choose.ts';
import {
  chatsBefore,
  chatsSince,
  findNumber,
  messagesAfter,
  messagesBefore,
} from './conversation-queries.ts';
import { createChatBook, forgetChat } from './owner-actions.ts';
import { readChats, readMessage, readMessages } from './reading.ts';
import { ADA, BEN, beginOn, commandModules, message, START, type Stage, texts } from './testing/stage.ts';
import { keepEntries } from './write-commands.ts';

const NOW = START / 1_000;

describeOnEachDatabase(
  'numbers and chats',
  (test) => {
    const both = async () => [await beginOn(test.store), await beginOn(test.store)] as const;
    const historyOf = (stage: Stage) => stage.entriesOf(message({ text: 'x' }))[0]?.historyId ?? '';
    const chatsOf = async ({ context, number }: Stage) => (await readChats(context, number.slotId, {})).chats;

    it('keep their settings apart', async () => {
      const [one, other] = await both();
      for (const stage of [one, other]) {
        await stage.receiveMessage('Still kept', { message_id: 'SAME' });
        await stage.keep(message({ type: 'reaction', text: '👍', reacted_message_id: 'SAME' }));
      }
      await choose(one.context, one.number, { enabled: true, days: 3, media: false });
      expect(await readChoice(other.context, other.number)).toMatchObject({ days: 30, media: true });
      await choose(one.context, one.number, { enabled: false });
      expect(await readChoice(other.context, other.number)).toMatchObject({ enabled: true, chats: 1 });
      expect(await readMessage(other.context, other.number.slotId, 'SAME')).toMatchObject({
        text: 'Still kept',
        reactions: [{ emoji: '👍' }],
      });
    });

    it('keep the same chat of two numbers apart', async () => {
      const [one, other] = await both();
      for (const stage of [one, other]) await stage.receiveMessage('Hello', { message_id: 'SAME' });
      const book = createChatBook(one.context);
      await book.flag(one.number.slotId, ADA, { archived: 1, pinned: 1, muted_until: -1, unread: 0 });
      const keeper = one.histories.of(one.number.slotId);
      const change = { type: 'deleted', upTo: NOW } as const;
      await one.store.run(keepEntries, keeper?.chat({ chat: ADA, change }) ?? []);
      await book.sweep(one.number.slotId, ADA);
      await forgetChat(one.context, one.number.slotId, ADA);
      expect(await texts(one)).toEqual([]);
      expect(await chatsOf(other)).toMatchObject([
        { unread: 1, archived: false, pinned: false, muted: false, messages: 1 },
      ]);
      expect(await texts(other)).toEqual(['Hello']);
    });

    it('keep messages of the same id apart, by chat and author', async () => {
      const [one] = await both();
      const id = { message_id: 'SAME' };
      await one.receiveMessage('Of Ada', id);
      await one.receiveMessage('Of Ben', { ...id, chat_jid: BEN, sender_jid: BEN });
      await one.say('Own', id);
      await one.keep(message({ type: 'reaction', text: '👍', reacted_message_id: 'SAME', chat_jid: BEN }));
      await one.receiveMessage('', { type: 'other', revoked_message_id: 'SAME' });
      expect((await texts(one)).toSorted()).toEqual(['', 'Own']);
      expect(await texts(one, BEN)).toEqual(['Of Ben']);
      const book = createChatBook(one.context);
      await book.deleteMessage(one.number.slotId, ADA, 'SAME', false);
      expect(await texts(one)).toEqual(['Own']);
      await book.deleteMessage(one.number.slotId, ADA, 'SAME', true);
      expect(await readMessage(one.context, one.number.slotId, 'SAME')).toMatchObject({
        text: 'Of Ben',
        reactions: [{ emoji: '👍' }],
      });
    });

    it('keep marks on a message when one of the same id is deleted in another chat', async () => {
      const [one] = await both();
      const id = { message_id: 'SAME' };
      const ofBen = { chat_jid: BEN, sender_jid: BEN };
      await one.receiveMessage('Of Ada', id);
      await one.receiveMessage('Of Ben', { ...id, ...ofBen });
      await one.keep(message({ type: 'reaction', text: '👍', reacted_message_id: 'SAME', ...ofBen }));
      await one.receiveMessage('', { type: 'other', revoked_message_id: 'SAME' });
      const { messages } = await readMessages(one.context, one.number.slotId, BEN, {});
      expect(messages).toMatchObject([{ text: 'Of Ben', reactions: [{ emoji: '👍' }] }]);
    });

    it('keep receipts and what is unread apart, by number, chat and author', async () => {
      const [one, other] = await both();
      for (const stage of [one, other]) {
        await stage.receiveMessage('Unread', { chat_jid: BEN, sender_jid: BEN, message_id: 'OWN' });
        await stage.receiveMessage('Unread');
        await stage.say('Own', { message_id: 'OWN' });
        await stage.say('Own too', { message_id: 'OWN 2' });
        await stage.receiveMessage('Answer');
      }
      await other.receiveMessage('Another answer');
      // An own message and an answer of one batch.
      const own = { from_me: true, sender_jid: ADA } as const;
      await one.keep(message({ text: 'Again', ...own }), message({ text: 'Answer again' }));
      await one.keep(message({ text: 'Once more', ...own }));
      await one.receive('OWN', ADA, 'read');
      const unread = async (stage: Stage) =>
        Object.fromEntries((await chatsOf(stage)).map(({ jid, unread: count }) => [jid, count]));
      expect(await unread(one)).toEqual({ [ADA]: 0, [BEN]: 1 });
      expect(await unread(other)).toEqual({ [ADA]: 2, [BEN]: 1 });
      const statusOf = async (stage: Stage, id: string) =>
        (await readMessages(stage.context, stage.number.slotId, ADA, {})).messages.find(
          ({ message_id }) => message_id === id,
        )?.status;
      expect(await statusOf(one, 'OWN')).toBe('read');
      expect(await statusOf(one, 'OWN 2')).toBe('sent');
      expect(await statusOf(other, 'OWN')).toBe('sent');
    });

    it('are read from the database no further than requested', async () => {
      const [one] = await both();
      const { read } = one.store;
      const jids = ['1', '2', '3'].map((each) => `1555000300${each}@s.whatsapp.net`);
      for (const chat_jid of jids)
        await one.keep(...[1, 2, 3].map(() => message({ text: 'x', chat_jid, sender_jid: chat_jid })));
      const history = historyOf(one);
      const [chat = ''] = jids;
      const start = { at: 0, seq: 0 };
      const nothingCleared = { chat, cleared_at: 0, cleared_seq: 0 };
      const lengths = await Promise.all([
        messagesAfter(read, history, chat, start, 2),
        messagesBefore(read, history, nothingCleared, undefined, 2),
        chatsBefore(read, history, undefined, 2),
        chatsSince(read, history, { before: START * 2, limit: 2 }),
      ]);
      expect(lengths.map((rows) => rows.length)).toEqual([2, 2, 2, 2]);
    });

    it('are found by the slot of the number only', async () => {
      const [one, other] = await both();
      for (const { number, store } of [one, other])
        await store.transaction(async (trx) => {
          const account = { id: number.accountId, name: 'Ada', email: `${number.accountId}@example.com` };
          await trx
            .insertInto('accounts')
            .values({ ...account, status: 'active', created_at: START })
            .execute();
          const device = { slot_id: number.slotId, account_id: number.accountId, phone: number.phone };
          await trx
            .insertInto('devices')
            .values({ ...device, plan: 'max', status: 'active', activated_at: START, created_at: START })
            .execute();
        });
      for (const { number, store } of [one, other])
        expect(await findNumber(store.read, number.slotId)).toEqual(number);
      expect(await findNumber(one.store.read, 'slot_unknown')).toBeUndefined();
    });
  },
  'shared by all tests',
  commandModules,
);
