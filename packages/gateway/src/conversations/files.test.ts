import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '#testing';
import { choose } from './choose.ts';
import { dropWhatIsOver } from './forgetting/retention.ts';
import { createChatBook, forgetChat } from './owner-actions.ts';
import { readMessages } from './reading.ts';
import { ADA, BEN, beginOn, commandModules, FILE, message, type Stage, texts } from './testing/stage.ts';

let files = 0;

describeOnEachDatabase(
  'the files of conversations',
  (test) => {
    /** A message with a stored file, as the inbound room records it. */
    async function receiveFile(
      stage: Stage,
      chat = ADA,
      changes: Parameters<typeof message>[0] = {},
    ): Promise<string> {
      const id = `med_${String(++files).padStart(6, '0')}`;
      const media = { ...FILE, id, url: 'https://a/b' };
      const event = message({ chat_jid: chat, type: 'image', media, ...changes });
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

    it('have no stored link, and get one for each reader', async () => {
      const stage = await beginOn(test.store);
      const id = await receiveFile(stage);
      const origin = 'https://gateway.example';
      const read = await readMessages({ ...stage.context, origin }, stage.number.slotId, ADA, {});
      const { data, status, ...file } = FILE;
      const url = `${stage.number.accountId} ${id} ${origin}`;
      expect(read.messages.map(({ media }) => media)).toEqual([{ ...file, id, url }]);
    });

    it('are released with their messages, and no others', async () => {
      const stage = await beginOn(test.store);
      const ids = [await receiveFile(stage), await receiveFile(stage), await receiveFile(stage, BEN)];
      const [revoked, cleared, other] = ids;
      const { messages } = await readMessages(stage.context, stage.number.slotId, ADA, {});
      const taken = messages.find(({ media }) => media?.id === revoked);
      await stage.receiveMessage('', { type: 'other', revoked_message_id: taken?.message_id ?? '' });
      expect(await left(stage, ids)).toEqual([cleared, other]);
      await forgetChat(stage.context, stage.number.slotId, ADA);
      expect(await left(stage, ids)).toEqual([other]);
      await choose(stage.context, stage.number, { enabled: false });
      expect(await left(stage, ids)).toEqual([]);
    });

    it('are kept with a message of the same id in another chat, or of another number', async () => {
      const [stage, another] = [await beginOn(test.store), await beginOn(test.store)];
      const id = { message_id: 'SAME' };
      const ids = [
        await receiveFile(stage, ADA, id),
        await receiveFile(stage, BEN, { ...id, sender_jid: BEN }),
        await receiveFile(another, ADA, id),
      ];
      const [, ofBen, ofAnother] = ids;
      await stage.receiveMessage('', { type: 'other', revoked_message_id: 'SAME' });
      expect(await left(stage, ids)).toEqual([ofBen, ofAnother]);
      await createChatBook(stage.context).deleteMessage(stage.number.slotId, BEN, 'SAME', false);
      expect(await left(stage, ids)).toEqual([ofAnother]);
      await receiveFile(stage, ADA, { message_id: 'NEXT' });
      await forgetChat(stage.context, stage.number.slotId, ADA);
      await choose(stage.context, stage.number, { enabled: true, media: false });
      expect(await left(stage, ids)).toEqual([ofAnother]);
    });

    it('are released with messages that disappear, and with those that are deleted one by one', async () => {
      const stage = await beginOn(test.store);
      const ids = [
        await receiveFile(stage, ADA, { ephemeral_seconds: 60 }),
        await receiveFile(stage, ADA, { message_id: 'DELETED' }),
        await receiveFile(stage),
      ];
      const [, deleted, other] = ids;
      stage.clock.advance(60_000);
      await dropWhatIsOver({ ...stage.context, clock: stage.clock });
      expect(await left(stage, ids)).toEqual([deleted, other]);
      await createChatBook(stage.context).deleteMessage(stage.number.slotId, ADA, 'DELETED', false);
      expect(await left(stage, ids)).toEqual([other]);
    });

    it('are all released when files are switched off', async () => {
      const stage = await beginOn(test.store);
      const id = await receiveFile(stage);
      await choose(stage.context, stage.number, { enabled: true, media: false });
      expect(await left(stage, [id])).toEqual([]);
      expect(await texts(stage)).toEqual(['']);
    });
  },
  'shared by all tests',
  commandModules,
);
