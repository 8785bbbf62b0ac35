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
    /** A message with a file that is kept, as whoever takes messages in notes it. */
    async function hearFile(
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

    it('keeps no link to them, and makes one for whoever reads', async () => {
      const stage = await beginOn(test.store);
      const id = await hearFile(stage);
      const origin = 'https://gateway.example';
      const read = await readMessages({ ...stage.context, origin }, stage.number.slotId, ADA, {});
      const { data, status, ...file } = FILE;
      const url = `${stage.number.accountId} ${id} ${origin}`;
      expect(read.messages.map(({ media }) => media)).toEqual([{ ...file, id, url }]);
    });

    it('gives them up with their messages, and no others', async () => {
      const stage = await beginOn(test.store);
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

    it('keeps those of a message of the same id in another chat, or of another number', async () => {
      const [stage, another] = [await beginOn(test.store), await beginOn(test.store)];
      const id = { message_id: 'SAME' };
      const ids = [
        await hearFile(stage, ADA, id),
        await hearFile(stage, BEN, { ...id, sender_jid: BEN }),
        await hearFile(another, ADA, id),
      ];
      const [, ofBen, ofAnother] = ids;
      await stage.hear('', { type: 'other', revoked_message_id: 'SAME' });
      expect(await left(stage, ids)).toEqual([ofBen, ofAnother]);
      await createChatBook(stage.context).deleteMessage(stage.number.slotId, BEN, 'SAME', false);
      expect(await left(stage, ids)).toEqual([ofAnother]);
      await hearFile(stage, ADA, { message_id: 'NEXT' });
      await forgetChat(stage.context, stage.number.slotId, ADA);
      await choose(stage.context, stage.number, { enabled: true, media: false });
      expect(await left(stage, ids)).toEqual([ofAnother]);
    });

    it('gives them up with messages that disappear, and with those that are deleted one by one', async () => {
      const stage = await beginOn(test.store);
      const ids = [
        await hearFile(stage, ADA, { ephemeral_seconds: 60 }),
        await hearFile(stage, ADA, { message_id: 'DELETED' }),
        await hearFile(stage),
      ];
      const [, deleted, other] = ids;
      stage.clock.advance(60_000);
      await dropWhatIsOver({ ...stage.context, clock: stage.clock });
      expect(await left(stage, ids)).toEqual([deleted, other]);
      await createChatBook(stage.context).deleteMessage(stage.number.slotId, ADA, 'DELETED', false);
      expect(await left(stage, ids)).toEqual([other]);
    });

    it('gives all of them up when files are not to be kept any more', async () => {
      const stage = await beginOn(test.store);
      const id = await hearFile(stage);
      await choose(stage.context, stage.number, { enabled: true, media: false });
      expect(await left(stage, [id])).toEqual([]);
      expect(await texts(stage)).toEqual(['']);
    });
  },
  'shared by all tests',
  commandModules,
);
