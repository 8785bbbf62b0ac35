import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '#testing';
import { linkNumbers } from '../testing/rows.ts';
import { readPresence } from './hosting-queries.ts';

const URL = 'https://receiver.example';
const NUMBERS = 2;

describeOnEachDatabase(
  'whether a number is to appear online',
  (test) => {
    const hook = { account_id: 'acc', phone: '15550000', messages_url: URL, status_url: URL };
    const rest = { connection_url: URL, extensions: '', created_at: 0 };

    it.each(['webhooks', 'formatted_webhooks'] as const)('follows from %s', async (table) => {
      const { store } = test;
      await linkNumbers(store, NUMBERS);
      const isWanted = async () => (await readPresence(store.read, 'slot_0'))?.isWanted;
      const have = (slot_id: string, active: number, events_url: string) =>
        store.transaction(async (trx) => {
          await trx.deleteFrom(table).execute();
          const row = { ...hook, ...rest, id: 'wh', slot_id, active, events_url };
          if (table === 'webhooks')
            await trx
              .insertInto(table)
              .values({ ...row, secret: Buffer.alloc(1) })
              .execute();
          else
            await trx
              .insertInto(table)
              .values({ ...row, format: 'other', options: Buffer.alloc(1) })
              .execute();
        });
      expect(await isWanted()).toBe(false);
      await have('slot_0', 1, URL);
      expect(await isWanted()).toBe(true);
      await have('slot_0', 0, URL);
      expect(await isWanted()).toBe(false);
      await have('slot_0', 1, '');
      expect(await isWanted()).toBe(false);
      await have('slot_1', 1, URL);
      expect(await isWanted()).toBe(false);
      expect(await readPresence(store.read, 'slot_none')).toBeUndefined();
    });
  },
  'new for each test',
);
