import { expect, it, vi } from 'vitest';
import { createIds, createSteppedClock, systemRandom } from '#kernel';
import type { Store } from '#platform/store';
import { describeOnEachDatabase } from '#testing';
import { acceptMessage } from './accept/write-commands.ts';
import { dropOldMessages } from './retention.ts';
import { commandModules, itemOf, messagesOf, newNumber, quiet, START } from './testing/rows.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

async function keysIn(store: Store): Promise<string[]> {
  const rows = await store.read.selectFrom('idempotency_keys').select('key').orderBy('key').execute();
  // Without the slot of its number.
  return rows.map(({ key }) => key.slice(key.indexOf(' ') + 1));
}

describeOnEachDatabase(
  'data with a retention period',
  (test) => {
    it('is deleted after its period: keys after a day, messages after ninety', async () => {
      const { store } = test;
      const clock = createSteppedClock(START);
      const ids = createIds({ clock, random: systemRandom });
      const number = await newNumber(store);
      const accept = async (idempotencyKey: string, status: 'accepted' | 'read') => {
        const item = itemOf(number, { idempotencyKey, messageId: ids.message(), now: clock.now() });
        await store.run(acceptMessage, item);
        await store.transaction((trx) =>
          trx.updateTable('messages').set({ status }).where('id', '=', item.messageId).execute(),
        );
        return item.messageId;
      };
      await accept('old', 'read');
      const stuck = await accept('still waiting', 'accepted');
      clock.advance(12 * HOUR);
      const young = await accept('young', 'read');
      clock.advance(12 * HOUR - 1);

      const looks = vi.spyOn(clock, 'sleep');
      const looked = (times: number) => vi.waitFor(() => expect(looks).toHaveBeenCalledTimes(times));
      const remaining = async () => (await messagesOf(store, number)).map(({ id }) => id);
      const retention = dropOldMessages({ store, clock, log: quiet });
      await looked(1);
      expect(await keysIn(store)).toHaveLength(3);
      clock.advance(60_000);
      await looked(2);
      expect(await keysIn(store)).toEqual(['young']);
      expect(await remaining()).toHaveLength(3);

      clock.advance(89 * DAY);
      await looked(3);
      expect(await remaining()).toEqual([stuck, young]);
      clock.advance(12 * HOUR);
      await looked(4);
      // Messages that were never sent are kept, however old they are.
      expect(await remaining()).toEqual([stuck]);
      expect(await keysIn(store)).toEqual([]);
      await retention.stop();
    });

    it('is deleted completely, in small steps', async () => {
      const { store } = test;
      await store.transaction((trx) =>
        trx
          .insertInto('idempotency_keys')
          .values(
            Array.from({ length: 1_200 }, (_, index) => ({
              account_id: 'acc_steps',
              key: `key ${index}`,
              request_hash: Buffer.from('hash'),
              message_id: `message ${index}`,
              created_at: START,
            })),
          )
          .execute(),
      );
      const steps = vi.spyOn(store, 'transaction');
      const retention = dropOldMessages({ store, clock: createSteppedClock(START + DAY), log: quiet });
      await vi.waitFor(async () => expect(await keysIn(store)).toEqual([]), { timeout: 5_000 });
      expect(steps.mock.calls.length).toBeGreaterThanOrEqual(3);
      await retention.stop();
    });
  },
  'new for each test',
  commandModules,
);
