import { expect, it, vi } from 'vitest';
import { createSteppedClock } from '#kernel';
import { describeOnEachDatabase } from '#testing';
import { acceptMessage } from '../accept/write-commands.ts';
import {
  commandModules,
  eventLogOf,
  eventsOf,
  itemOf,
  linkNumber,
  messagesOf,
  newNumber,
  outboxOf,
  quiet,
  START,
} from '../testing/rows.ts';
import { abandonOrphans } from './abandon.ts';

describeOnEachDatabase(
  'a number that was unlinked',
  (test) => {
    const watch = () => {
      const { store } = test;
      const clock = createSteppedClock(START);
      const chore = abandonOrphans({ store, clock, events: eventLogOf(store, clock), log: quiet });
      return { clock, ...chore };
    };

    it('has its queue failed in order, each message with its event', async () => {
      const { store } = test;
      const number = await newNumber(store);
      await linkNumber(store, number);
      const items = [itemOf(number), itemOf(number), itemOf(number)];
      for (const item of items) await store.run(acceptMessage, item);
      const { clock, stop } = watch();

      await linkNumber(store, number, { status: 'logged_out' });
      await vi.waitFor(async () => {
        clock.advance(5_000);
        expect(await outboxOf(store, number)).toEqual([]);
      });
      expect(await messagesOf(store, number)).toMatchObject(
        items.map(({ messageId: id }) => ({ id, status: 'failed', reason: 'SEND_FAILED' })),
      );
      expect(await eventsOf(store, number)).toMatchObject(
        items.map(({ messageId: message_id, idempotencyKey: request_id }) => ({
          kind: 'status',
          status: 'failed',
          reason: 'SEND_FAILED',
          message_id,
          request_id,
        })),
      );
      await stop();
    });

    it('is distinguished from one that only lacks a connection', async () => {
      const { store } = test;
      const [away, gone] = [await newNumber(store), await newNumber(store)];
      await linkNumber(store, away, { status: 'reconnecting' });
      await store.run(acceptMessage, itemOf(away));
      await store.run(acceptMessage, itemOf(gone));
      const { stop } = watch();
      await vi.waitFor(async () => expect(await outboxOf(store, gone)).toEqual([]));
      await stop();
      expect(await outboxOf(store, away)).toHaveLength(1);
      expect(await messagesOf(store, away)).toMatchObject([{ status: 'accepted' }]);
    });

    it('has a long queue failed completely in one run', async () => {
      const { store } = test;
      const number = await newNumber(store);
      const many = Array.from({ length: 450 }, (_, index) =>
        itemOf(number, { now: START + index * 60_000, allowance: { sendsPerMinute: 600 } }),
      );
      for (const item of many) void store.run(acceptMessage, item);
      await vi.waitFor(async () => expect(await messagesOf(store, number)).toHaveLength(450));
      const { stop } = watch();
      await vi.waitFor(async () => expect(await outboxOf(store, number)).toEqual([]), { timeout: 10_000 });
      await stop();
      expect(await eventsOf(store, number)).toHaveLength(450);
    });
  },
  'shared by all tests',
  commandModules,
);
