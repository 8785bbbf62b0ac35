import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '#testing';
import { choose, readChoice } from './choose.ts';
import { createChatBook } from './owner-actions.ts';
import { readChats, readMessage, readMessages } from './reading.ts';
import {
  ADA,
  BEN,
  begin,
  beginOn,
  commandModules,
  FILE,
  GROUP,
  ME,
  message,
  START,
  texts,
} from './testing/stage.ts';
import { keepEntries } from './write-commands.ts';

describeOnEachDatabase(
  'the history of a number',
  (test) => {
    it('stores nothing until it is switched on, and then from that moment on', async () => {
      const stage = await begin(test.store);
      await stage.receiveMessage('Before');
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
      await stage.receiveMessage('After');
      expect(await texts(stage)).toEqual(['After']);
      expect(await readChoice(stage.context, stage.number)).toMatchObject({ chats: 1, messages: 1 });
    });

    it('has repeated events once, and their content only under the key of the account', async () => {
      const stage = await beginOn(test.store);
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
      const foreign = await boxOf('acc_other');
      expect(() => foreign.open(sealed ?? new Uint8Array(), '')).toThrow();
    });

    it('is not switched on for an account that gets no key', async () => {
      const stage = await begin(test.store);
      const boxOf = () => Promise.reject(new Error('no key'));
      const keyless = { ...stage.context, keys: { ...stage.keys, boxOf } };
      await expect(choose(keyless, stage.number, { enabled: true })).rejects.toThrow('no key');
      expect(await readChoice(stage.context, stage.number)).toMatchObject({ enabled: false });
    });

    it('stores authors of group messages only, as fingerprints, and none of own messages', async () => {
      const stage = await beginOn(test.store);
      await stage.receiveMessage('Of Ada', { message_id: 'direct' });
      await stage.say('Own', { message_id: 'own', chat_jid: GROUP });
      for (const [message_id, sender_jid] of [
        ['ada', ADA],
        ['ada too', ADA],
        ['ben', BEN],
      ] as const)
        await stage.receiveMessage('In the group', { message_id, sender_jid, chat_jid: GROUP });
      const [{ historyId } = { historyId: '' }] = stage.entriesOf(message({ text: 'x' }));
      const rows = await stage.store.read
        .selectFrom('history_messages')
        .select(['message_id', 'author'])
        .where('history_id', '=', historyId)
        .execute();
      const authors = new Map(rows.map(({ message_id, author }) => [message_id, author]));
      expect([authors.get('direct'), authors.get('own')]).toEqual([null, null]);
      expect(authors.get('ada')).toMatch(/^[\w-]{12}$/);
      expect(authors.get('ada too')).toBe(authors.get('ada'));
      expect(authors.get('ben')).not.toBe(authors.get('ada'));
    });

    it('knows the newest message of a chat, in whatever order those of a batch come', async () => {
      const stage = await beginOn(test.store);
      const at = (timestamp_unix: number) => message({ text: 'x', timestamp_unix });
      const now = START / 1_000;
      await stage.keep(at(now + 2), at(now), at(now + 2), at(now + 1));
      const [{ historyId } = { historyId: '' }] = stage.entriesOf(at(now));
      const { read } = stage.store;
      const [newest] = await read
        .selectFrom('history_messages')
        .select(['at as last_at', 'seq as last_seq'])
        .where('history_id', '=', historyId)
        .orderBy('at', 'desc')
        .orderBy('seq', 'desc')
        .execute();
      const chat = read.selectFrom('history_chats').select(['last_at', 'last_seq', 'oldest_at']);
      expect(await chat.where('history_id', '=', historyId).execute()).toEqual([
        { ...newest, oldest_at: START },
      ]);
    });

    it('counts messages after an own message of the same batch as unread', async () => {
      const stage = await beginOn(test.store);
      await stage.receiveMessage('Old');
      await stage.keep(
        message({ text: 'Own', message_id: 'O', from_me: true, sender_jid: ME }),
        message({ text: 'New', message_id: 'N' }),
      );
      expect((await readChats(stage.context, stage.number.slotId, {})).chats).toMatchObject([{ unread: 1 }]);
    });

    it('has receipts and marks that came before the message could be decrypted', async () => {
      const stage = await beginOn(test.store);
      await stage.keep(
        message({ type: 'other', message_id: 'E', edited_message_id: 'M', text: 'better' }),
        message({ type: 'reaction', message_id: 'R', reacted_message_id: 'M', text: '👍', sender_jid: BEN }),
      );
      expect(await texts(stage)).toEqual([]);
      await stage.keep(message({ message_id: 'M', text: 'beter' }));
      const kept = await readMessage(stage.context, stage.number.slotId, 'M');
      expect(kept).toMatchObject({ text: 'better', reactions: [{ jid: BEN, emoji: '👍' }] });
    });

    it('follows receipts, reactions and edits of a message, by person', async () => {
      const stage = await beginOn(test.store);
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
        // A person cannot edit messages of another.
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

    it('deletes messages that are deleted for everyone, by their author or in a group, and their later marks', async () => {
      const stage = await beginOn(test.store);
      const { slotId } = stage.number;
      await stage.receiveMessage('Regretted', { message_id: 'M1' });
      const own = await stage.say('Mine');
      const revoke = { type: 'other', text: '' } as const;
      await stage.keep(
        message({ ...revoke, message_id: 'X1', revoked_message_id: 'M1' }),
        // Not theirs to delete.
        message({ ...revoke, message_id: 'X2', revoked_message_id: own }),
        message({ ...revoke, message_id: 'X3', revoked_message_id: 'LATE' }),
      );
      await stage.receiveMessage('Too late', { message_id: 'LATE' });
      const gone = await readMessage(stage.context, slotId, 'M1');
      expect(gone).toMatchObject({ text: '', sender_jid: '', type: 'other', revoked_at_unix: START / 1_000 });
      expect(await texts(stage)).not.toContain('Too late');
      expect(await texts(stage)).toContain('Mine');
      const rows = stage.store.read
        .selectFrom('history_messages')
        .select('message_id')
        .where('sealed', 'is', null);
      expect((await rows.execute()).map(({ message_id }) => message_id)).toContain('M1');

      const inGroup = { chat_jid: GROUP, is_group: true } as const;
      await stage.receiveMessage('By an admin', { message_id: 'G1', ...inGroup });
      await stage.receiveMessage('By its author', { message_id: 'G2', ...inGroup, sender_lid: '77@lid' });
      const mine = await stage.say('Of the number', inGroup);
      const by_ben = { ...revoke, ...inGroup, sender_jid: BEN };
      // A member who is no admin cannot delete messages of others.
      const ids = ['G1', 'G2', mine];
      const tried = ids.map((id) => message({ ...by_ben, message_id: `of ${id}`, revoked_message_id: id }));
      await stage.keep(...tried);
      // Nor can the number, by claiming that they are its own.
      const as_own = { ...revoke, ...inGroup, from_me: true, sender_jid: ME } as const;
      await stage.keep(message({ ...as_own, message_id: 'of G1 as own', revoked_message_id: 'G1' }));
      const kept = ['By an admin', 'By its author', 'Of the number'];
      expect((await texts(stage, GROUP)).toSorted()).toEqual(kept);
      await stage.keepOfAdmin(message({ ...by_ben, message_id: 'X4', revoked_message_id: 'G1' }));
      const by_author = { ...revoke, ...inGroup, sender_lid: '77@lid' };
      await stage.keep(message({ ...by_author, message_id: 'X5', revoked_message_id: 'G2' }));
      expect((await texts(stage, GROUP)).toSorted()).toEqual(['', '', 'Of the number']);
    });

    it('knows whether a deletion is about a message of another person', async () => {
      const stage = await beginOn(test.store);
      const { reachesForAnothers } = createChatBook(stage.context);
      const inGroup = { chat_jid: GROUP, is_group: true } as const;
      await stage.receiveMessage('In the group', { message_id: 'G', ...inGroup, sender_lid: '77@lid' });
      await stage.receiveMessage('Alone', { message_id: 'D' });
      const own = await stage.say('Mine');
      const ownInGroup = await stage.say('Mine too', inGroup);
      const asked = (id: string, by: Parameters<typeof message>[0], byAdmin = false) => {
        const event = message({ type: 'other', text: '', revoked_message_id: id, ...by });
        const entries = stage.histories.of(stage.number.slotId)?.message(event, { byAdmin }) ?? [];
        expect(entries).toHaveLength(1);
        return reachesForAnothers(entries);
      };
      const ben = { ...inGroup, sender_jid: BEN };
      const author = { ...inGroup, sender_lid: '77@lid' };
      expect(await Promise.all(['G', ownInGroup].map((id) => asked(id, ben)))).toEqual([true, true]);
      expect(await Promise.all(['G', ownInGroup].map((id) => asked(id, ben, true)))).toEqual([false, false]);
      expect(await asked('G', author)).toBe(false);
      expect(await asked('G', { ...inGroup, sender_jid: ME, from_me: true })).toBe(true);
      expect(await asked(ownInGroup, { ...inGroup, sender_jid: ME, from_me: true })).toBe(false);
      expect(await asked('D', {})).toBe(false);
      expect(await asked(own, {})).toBe(true);
      // Unknown for messages that are not stored, and for a message of that id in another chat.
      expect(await asked('ELSEWHERE', ben)).toBe(false);
      expect(await asked('D', ben)).toBe(false);
      expect(await asked('G', {})).toBe(false);
      expect(await reachesForAnothers(stage.entriesOf(message({ text: 'no deletion' })))).toBe(false);
    });

    it('has no trace of an edit that came before the deletion of its message, and refuses deletions by others', async () => {
      const stage = await beginOn(test.store);
      const own = await stage.say('Mine');
      const other = { type: 'other', text: '' } as const;
      await stage.keep(
        message({ ...other, edited_message_id: 'M', text: 'Zwiebelkuchen' }),
        message({ type: 'reaction', reacted_message_id: 'M', text: '👍', sender_jid: BEN }),
        message({ type: 'reaction', reacted_message_id: own, text: '❤️' }),
      );
      await stage.keep(
        message({ ...other, revoked_message_id: 'M' }),
        message({ ...other, revoked_message_id: own }),
      );
      await stage.keep(
        message({ ...other, edited_message_id: 'M', text: 'again' }),
        message({ type: 'reaction', reacted_message_id: own, text: '👍', sender_jid: BEN }),
      );
      const [{ historyId = '' } = {}] = stage.entriesOf(message({ text: 'x' }));
      const rows = stage.store.read.selectFrom('history_marks').select(['target_id', 'author']);
      const left = await rows.where('history_id', '=', historyId).orderBy('author').execute();
      expect(left).toEqual([ADA, BEN].map((author) => ({ target_id: own, author })));
      const { reactions } = await readMessage(stage.context, stage.number.slotId, own);
      expect(reactions).toHaveLength(2);
    });

    it('stores no stories, channels or bytes of files', async () => {
      const stage = await beginOn(test.store);
      await stage.receiveMessage('Story', { broadcast: true, chat_jid: 'status@broadcast' });
      await stage.receiveMessage('Post', { chat_jid: '120363107654321098@newsletter' });
      await stage.receiveMessage('Look', { type: 'image', media: FILE });
      const { chats } = await readChats(stage.context, stage.number.slotId, {});
      expect(chats.map(({ jid }) => jid)).toEqual([ADA]);
      const file = { mimetype: 'image/png', extension: 'png', file_length: 4 };
      expect(chats[0]?.last_message?.media).toEqual(file);
      await choose(stage.context, stage.number, { enabled: true, media: false });
      await stage.receiveMessage('Again', { type: 'image', media: FILE });
      const { messages } = await readMessages(stage.context, stage.number.slotId, ADA, {});
      expect(messages.map((each) => each.media)).toEqual([undefined, file]);
    });
  },
  'shared by all tests',
  commandModules,
);
