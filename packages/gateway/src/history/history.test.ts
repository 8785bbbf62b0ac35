import type { EventOf } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { createDataKeys } from '#accounts';
import { createLocalBus } from '#bus';
import {
  createIds,
  createSealedBox,
  createSteppedClock,
  createSystemClock,
  systemRandom,
  type TravelClock,
} from '#kernel';
import type { Store } from '#store';
import { describeOnEachDatabase } from '#testing';
import { choose, type HistoryContext, readChoice } from './choose.ts';
import { dropWhatIsOver, trimAll } from './forgetting/retention.ts';
import { createHistories, type Histories } from './histories.ts';
import { createChatBook, forgetChat } from './owner-actions.ts';
import { readChats, readMessage, readMessages } from './reading.ts';
import { type HistoryEntry, keepEntries } from './write-commands.ts';

const START = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const ME = '15550001001@s.whatsapp.net';
const ADA = '15550002001@s.whatsapp.net';
const BEN = '15550002002@s.whatsapp.net';
const GROUP = '120363041234567890@g.us';

const sealedBox = createSealedBox({ masterKeys: [Buffer.alloc(32, 7)], random: systemRandom });
const commandModules = [new URL('./write-commands.ts', import.meta.url)];

interface Number {
  readonly slotId: string;
  readonly accountId: string;
  readonly phone: string;
}

let made = 0;

describeOnEachDatabase(
  'the history of a number',
  (test) => {
    /** A number that no other test uses, in a process of its own. */
    async function begin(over: Partial<HistoryContext> = {}) {
      const clock = createSteppedClock(START);
      const store = test.store;
      const bus = createLocalBus({ clock: createSystemClock() });
      const keys = createDataKeys({ store, sealedBox, random: systemRandom, clock });
      const log = { error: (details: object) => expect(details).toBeUndefined() };
      const histories = createHistories({ store, bus, keys, clock, log });
      const ids = createIds({ clock, random: systemRandom });
      const links = { urlOf: async (...of: unknown[]) => of.join(' ') };
      const context: HistoryContext = {
        ...{ store, bus, clock, ids, keys, histories, links },
        maxBytes: 1e9,
        ...over,
      };
      const name = ++made;
      const number = { slotId: `slot_${name}`, accountId: `acc_${name}`, phone: `1555000${name}` };
      return {
        ...talkOf({ store, clock, histories, number }),
        context,
        number,
        clock,
        histories,
        store,
        keys,
      };
    }

    async function beginOn(over: Partial<HistoryContext> = {}) {
      const stage = await begin(over);
      await choose(stage.context, stage.number, { enabled: true });
      return stage;
    }

    const texts = async (stage: Awaited<ReturnType<typeof begin>>, chat = ADA) =>
      (await readMessages(stage.context, stage.number.slotId, chat, {})).messages.map(({ text }) => text);

    it('keeps nothing until it is switched on, and then from that moment on', async () => {
      const stage = await begin();
      await stage.hear('Before');
      const off = {
        phone: stage.number.phone,
        enabled: false,
        chats: 0,
        messages: 0,
        bytes: 0,
        max_bytes: 1e9,
      };
      expect(await readChoice(stage.context, stage.number)).toEqual(off);
      await expect(texts(stage)).rejects.toMatchObject({ code: 'history_off' });
      const on = await choose(stage.context, stage.number, { enabled: true, days: 7 });
      expect(on).toMatchObject({ enabled: true, days: 7, media: true, since_unix: START / 1_000 });
      await stage.hear('After');
      expect(await texts(stage)).toEqual(['After']);
      expect(await readChoice(stage.context, stage.number)).toMatchObject({ chats: 1, messages: 1 });
    });

    it('has what is told twice once, and its content only under the key of the account', async () => {
      const stage = await beginOn();
      const entries = stage.entriesOf(message({ text: 'Zwiebelkuchen' }));
      await stage.store.run(keepEntries, entries);
      await stage.store.run(keepEntries, entries);
      expect(await texts(stage)).toEqual(['Zwiebelkuchen']);
      expect((await readChats(stage.context, stage.number.slotId, {})).chats).toMatchObject([
        { jid: ADA, unread: 1, messages: 1, last_message: { text: 'Zwiebelkuchen' } },
      ]);
      const rows = await stage.store.read.selectFrom('history_messages').select('sealed').execute();
      for (const { sealed } of rows) expect(Buffer.from(sealed ?? []).includes('Zwiebel')).toBe(false);
      const { boxOf } = stage.keys;
      const [sealed] = rows.slice(-1).map((row) => row.sealed ?? new Uint8Array());
      const foreign = await boxOf('acc_of_somebody_else');
      expect(() => foreign.open(sealed ?? new Uint8Array(), '')).toThrow();
    });

    it('pages in both directions without a gap, also within one moment', async () => {
      const stage = await beginOn();
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

    it('lists chats by their newest message, page by page, with what is unread and how the owner has them', async () => {
      const stage = await beginOn();
      const { slotId } = stage.number;
      await stage.hear('Hello', { chat_jid: BEN, sender_jid: BEN });
      stage.clock.advance(5_000);
      await stage.hear('In the group', { chat_jid: GROUP, is_group: true });
      stage.clock.advance(5_000);
      await stage.hear('One');
      await stage.hear('Two');
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

    it('counts what came after an own message of the same batch as unread', async () => {
      const stage = await beginOn();
      await stage.hear('Old');
      await stage.keep(
        message({ text: 'Own', message_id: 'O', from_me: true, sender_jid: ME }),
        message({ text: 'New', message_id: 'N' }),
      );
      expect((await readChats(stage.context, stage.number.slotId, {})).chats).toMatchObject([{ unread: 1 }]);
    });

    it('knows what came of a message before the message itself could be read', async () => {
      const stage = await beginOn();
      await stage.keep(
        message({ type: 'other', message_id: 'E', edited_message_id: 'M', text: 'better' }),
        message({ type: 'reaction', message_id: 'R', reacted_message_id: 'M', text: '👍', sender_jid: BEN }),
      );
      expect(await texts(stage)).toEqual([]);
      await stage.keep(message({ message_id: 'M', text: 'letter' }));
      const kept = await readMessage(stage.context, stage.number.slotId, 'M');
      expect(kept).toMatchObject({ text: 'better', reactions: [{ jid: BEN, emoji: '👍' }] });
    });

    it('follows receipts, reactions and edits of a message, by whom they are', async () => {
      const stage = await beginOn();
      const { slotId } = stage.number;
      const id = await stage.say('Redy', { chat_jid: GROUP, is_group: true });
      const in_group = { chat_jid: GROUP, is_group: true };
      const edit = {
        ...in_group,
        from_me: true,
        sender_jid: ME,
        edited_message_id: id,
        type: 'other',
      } as const;
      await stage.keep(
        message({ ...edit, message_id: 'E1', text: 'Ready' }),
        // Nobody changes what somebody else has written.
        message({ ...edit, from_me: false, sender_jid: BEN, message_id: 'E2', text: 'Forged' }),
        message({ ...in_group, type: 'reaction', text: '👍', message_id: 'R1', reacted_message_id: id }),
        message({
          ...in_group,
          type: 'reaction',
          text: '❤️',
          message_id: 'R2',
          reacted_message_id: id,
          sender_jid: BEN,
        }),
      );
      stage.clock.advance(1_000);
      const taken_back = { ...in_group, type: 'reaction', text: '', message_id: 'R3' } as const;
      await stage.keep(message({ ...taken_back, reacted_message_id: id, timestamp_unix: START / 1_000 + 1 }));
      await stage.receive(id, ADA, 'delivered');
      await stage.receive(id, ADA, 'read');
      await stage.receive(id, BEN, 'delivered');
      await stage.receive(id, BEN, 'delivered');

      const kept = await readMessage(stage.context, slotId, id);
      expect(kept).toMatchObject({ text: 'Ready', status: 'read', edited_at_unix: START / 1_000 });
      expect(kept.edits?.map(({ text }) => text)).toEqual(['Redy', 'Ready']);
      expect(kept.reactions).toMatchObject([{ jid: BEN, emoji: '❤️' }]);
      expect(kept.receipts?.map(({ jid, receipt_type }) => `${receipt_type} ${jid}`).sort()).toEqual([
        `delivered ${ADA}`,
        `delivered ${BEN}`,
        `read ${ADA}`,
      ]);
      const { messages } = await readMessages(stage.context, slotId, GROUP, {});
      expect(messages).toMatchObject([{ text: 'Ready', reactions: [{ jid: BEN }], status: 'read' }]);
    });

    it('deletes what is deleted for everybody, by its author or in a group, and whatever comes of it later', async () => {
      const stage = await beginOn();
      const { slotId } = stage.number;
      await stage.hear('Regretted', { message_id: 'M1' });
      const own = await stage.say('Mine');
      const revoke = { type: 'other', text: '' } as const;
      await stage.keep(
        message({ ...revoke, message_id: 'X1', revoked_message_id: 'M1' }),
        // Not theirs to delete.
        message({ ...revoke, message_id: 'X2', revoked_message_id: own }),
        message({ ...revoke, message_id: 'X3', revoked_message_id: 'LATE' }),
      );
      await stage.hear('Too late', { message_id: 'LATE' });
      const gone = await readMessage(stage.context, slotId, 'M1');
      expect(gone).toMatchObject({ text: '', sender_jid: '', type: 'other', revoked_at_unix: START / 1_000 });
      expect(await texts(stage)).not.toContain('Too late');
      expect(await texts(stage)).toContain('Mine');
      const rows = stage.store.read
        .selectFrom('history_messages')
        .select('message_id')
        .where('sealed', 'is', null);
      expect((await rows.execute()).map(({ message_id }) => message_id)).toContain('M1');

      await stage.hear('By an admin', { message_id: 'G1', chat_jid: GROUP, is_group: true });
      const by_admin = { ...revoke, chat_jid: GROUP, is_group: true, sender_jid: BEN };
      await stage.keep(message({ ...by_admin, message_id: 'X4', revoked_message_id: 'G1' }));
      expect(await texts(stage, GROUP)).toEqual(['']);
    });

    it('finds words in a chat as they stand now, in upper and lower case', async () => {
      const stage = await beginOn();
      await stage.hear('The invoice is late', { message_id: 'M1' });
      await stage.hear('What?', { message_id: 'M2' });
      await stage.keep(
        message({ type: 'other', message_id: 'E', edited_message_id: 'M2', text: 'Which Invoice?' }),
      );
      const { slotId } = stage.number;
      const found = await readMessages(stage.context, slotId, ADA, { q: 'INVOICE' });
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

    it('keeps stories, channels and the bytes of files out', async () => {
      const stage = await beginOn();
      await stage.hear('Story', { broadcast: true, chat_jid: 'status@broadcast' });
      await stage.hear('Post', { chat_jid: '120363107654321098@newsletter' });
      const media = {
        mimetype: 'image/png',
        extension: 'png',
        file_length: 4,
        data: 'AAAA',
        status: 'downloaded',
      } as const;
      await stage.hear('Look', { type: 'image', media });
      const { chats } = await readChats(stage.context, stage.number.slotId, {});
      expect(chats.map(({ jid }) => jid)).toEqual([ADA]);
      const file = { mimetype: 'image/png', extension: 'png', file_length: 4 };
      expect(chats[0]?.last_message?.media).toEqual(file);
      await choose(stage.context, stage.number, { enabled: true, media: false });
      await stage.hear('Again', { type: 'image', media });
      const { messages } = await readMessages(stage.context, stage.number.slotId, ADA, {});
      expect(messages.map((each) => each.media)).toEqual([undefined, file]);
    });

    it('loses messages by their age, by the timer of their chat and by its size, the oldest first', async () => {
      const stage = await beginOn();
      const { slotId } = stage.number;
      await choose(stage.context, stage.number, { enabled: true, days: 2 });
      await stage.hear('Old');
      await stage.keep(message({ text: 'Disappears', message_id: 'D', ephemeral_seconds: 3_600 }));
      stage.clock.advance(DAY_MS + 3_600_000);
      await dropWhatIsOver({ ...stage.context, clock: stage.clock });
      expect(await texts(stage)).toEqual(['Old']);
      await stage.hear('New', { timestamp_unix: stage.clock.now() / 1_000 });
      stage.clock.advance(DAY_MS);
      await trimAll({ ...stage.context, clock: stage.clock });
      expect(await texts(stage)).toEqual(['New']);
      for (let count = 0; count < 150; count++)
        await stage.hear(`n${count}`, { timestamp_unix: Math.floor(stage.clock.now() / 1_000) });
      const { bytes } = await readChoice(stage.context, stage.number);
      await trimAll({ ...stage.context, maxBytes: bytes - 1, clock: stage.clock });
      const kept = await readMessages(stage.context, slotId, ADA, { limit: 100 });
      expect(kept.messages).toHaveLength(51);
      expect(kept.messages[0]).toMatchObject({ text: 'n149' });
      expect(await readChoice(stage.context, stage.number)).toMatchObject({ messages: 51 });
    });

    it('forgets one chat, one message, and all of it when it is switched off', async () => {
      const stage = await beginOn();
      const { slotId } = stage.number;
      await stage.hear('With Ada', { message_id: 'M1' });
      await stage.hear('With Ben', { chat_jid: BEN, sender_jid: BEN });
      await stage.keep(message({ type: 'reaction', text: '👍', message_id: 'R', reacted_message_id: 'M1' }));
      await forgetChat(stage.context, slotId, ADA);
      expect(await texts(stage)).toEqual([]);
      await expect(readMessage(stage.context, slotId, 'M1')).rejects.toMatchObject({
        code: 'message_not_found',
      });
      await stage.hear('Ada again', { message_id: 'M9' });
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
      // What was made for it before is not kept any more.
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

    it('is deleted to the end by the next run, however much it is', async () => {
      const stage = await beginOn();
      await stage.hear('One');
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

    describe('with files', () => {
      const FILE = {
        mimetype: 'image/png',
        extension: 'png',
        file_length: 4,
        data: 'AAAA',
        status: 'downloaded',
      } as const;
      type Stage = Awaited<ReturnType<typeof begin>>;

      /** A message with a file that is kept, as whoever takes messages in notes it. */
      async function hearFile(stage: Stage, chat = ADA): Promise<string> {
        const id = `med_${String(++made).padStart(6, '0')}`;
        const event = message({ chat_jid: chat, type: 'image', media: { ...FILE, id, url: 'https://a/b' } });
        const [entry] = stage.entriesOf(event);
        if (entry?.type !== 'message') throw new Error('the message is not kept');
        await stage.keep(event);
        const { historyId: history_id, messageId: message_id } = entry;
        const row = { id, account_id: 'a', phone: null, object_id: '', size: 4, details: new Uint8Array() };
        await stage.store.transaction(async (trx) => {
          await trx
            .insertInto('media')
            .values({ ...row, made_at: 0, expires_at: 9e15 })
            .execute();
          const arrival = { media_id: id, slot_id: 's', history_id, chat, message_id, copy_until: null };
          await trx.insertInto('media_arrivals').values(arrival).execute();
        });
        return id;
      }

      const left = async (stage: Stage, ids: readonly string[]) => {
        const query = stage.store.read.selectFrom('media').select('id').where('id', 'in', ids);
        return (await query.where('expires_at', '>', 0).orderBy('id').execute()).map(({ id }) => id);
      };

      it('keeps no link to them, and makes one for whoever reads', async () => {
        const stage = await beginOn();
        const id = await hearFile(stage);
        const origin = 'https://gateway.example';
        const read = await readMessages({ ...stage.context, origin }, stage.number.slotId, ADA, {});
        const { data, status, ...file } = FILE;
        const url = `${stage.number.accountId} ${id} ${origin}`;
        expect(read.messages.map(({ media }) => media)).toEqual([{ ...file, id, url }]);
      });

      it('gives them up with their messages, and no others', async () => {
        const stage = await beginOn();
        const ids = [await hearFile(stage), await hearFile(stage), await hearFile(stage, BEN)];
        const [revoked, cleared, other] = ids;
        const { messages } = await readMessages(stage.context, stage.number.slotId, ADA, {});
        const taken = messages.find(({ media }) => media?.id === revoked);
        await stage.hear('', { type: 'other', revoked_message_id: taken?.message_id ?? '' });
        expect(await left(stage, ids)).toEqual([cleared, other]);
        await forgetChat(stage.context, stage.number.slotId, ADA);
        expect(await left(stage, ids)).toEqual([other]);
        await choose(stage.context, stage.number, { enabled: false });
        expect(await left(stage, ids)).toEqual([]);
      });

      it('gives all of them up when files are not to be kept any more', async () => {
        const stage = await beginOn();
        const id = await hearFile(stage);
        await choose(stage.context, stage.number, { enabled: true, media: false });
        expect(await left(stage, [id])).toEqual([]);
        expect(await texts(stage)).toEqual(['']);
      });
    });
  },
  'shared by all tests',
  commandModules,
);

function message(changes: Partial<EventOf<'message'>>): EventOf<'message'> {
  return {
    kind: 'message',
    message_id: `M${++made}`,
    session_id: '15550001001:1@s.whatsapp.net',
    sender_jid: ADA,
    sender_name: 'Ada',
    chat_jid: ADA,
    is_group: false,
    type: 'text',
    text: '',
    timestamp_unix: START / 1_000,
    broadcast: false,
    ...changes,
  };
}

function talkOf(parts: { store: Store; clock: TravelClock; histories: Histories; number: Number }) {
  const { store, clock, histories, number } = parts;
  const keeper = () => histories.of(number.slotId);
  const entriesOf = (...events: EventOf<'message'>[]): HistoryEntry[] =>
    events.flatMap((event) => keeper()?.message(event) ?? []);
  async function keep(...events: EventOf<'message'>[]): Promise<void> {
    await store.run(keepEntries, entriesOf(...events));
  }
  const now = () => Math.floor(clock.now() / 1_000);
  return {
    entriesOf,
    keep,
    hear: (text: string, changes: Partial<EventOf<'message'>> = {}) =>
      keep(message({ text, timestamp_unix: now(), ...changes })),
    async say(text: string, changes: Partial<EventOf<'message'>> = {}): Promise<string> {
      const own = message({ text, from_me: true, sender_jid: ME, timestamp_unix: now(), ...changes });
      await keep(own);
      return own.message_id;
    },
    async receive(messageId: string, recipient: string, type: 'delivered' | 'read'): Promise<void> {
      const entries = keeper()?.receipt({ messageId, recipient, type, timestamp: now() }) ?? [];
      await store.run(keepEntries, entries);
    },
  };
}
