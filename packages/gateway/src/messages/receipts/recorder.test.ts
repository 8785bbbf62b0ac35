import { expect, it } from 'vitest';
import { createSteppedClock } from '#kernel';
import type { OwnedNumber } from '#platform/http';
import type { MessageRow } from '#platform/store';
import { describeOnEachDatabase } from '#testing';
import { OUTBOX_TOPIC } from '../accept/accept.ts';
import { acceptMessage } from '../accept/write-commands.ts';
import {
  commandModules,
  eventLogOf,
  eventsOf,
  itemOf,
  messagesOf,
  newNumber,
  noHistories,
  outboxOf,
  START,
  sameChat,
  sealedBox,
} from '../testing/rows.ts';
import { createReceiptRecorder } from './recorder.ts';
import type { ReceiptNote } from './write-commands.ts';

describeOnEachDatabase(
  'a receipt',
  (test) => {
    const woken: unknown[] = [];
    const limits = () =>
      createReceiptRecorder({
        store: test.store,
        clock: createSteppedClock(START + 5_500),
        sealedBox,
        histories: noHistories,
        events: eventLogOf(test.store),
        bus: { publish: (topic, slotId) => void woken.push([topic, slotId]) },
      });

    async function messageWith(status: MessageRow['status']) {
      const number = await newNumber(test.store);
      const item = itemOf(number);
      await test.store.run(acceptMessage, item);
      await test.store.transaction((trx) =>
        trx.updateTable('messages').set({ status }).where('id', '=', item.messageId).execute(),
      );
      const note = (type: ReceiptNote['status'], at = START + 1_000) =>
        limits().note({ slotId: number.slotId, messageId: item.messageId, status: type, at }, sameChat);
      return { number, item, note };
    }
    const statusOf = async (number: OwnedNumber) => (await messagesOf(test.store, number))[0]?.status;

    it('is matched by the network id and returns the key of the send', async () => {
      const { number, item, note } = await messageWith('sent');
      expect(await note('delivered', START + 7_000)).toBe(item.idempotencyKey);
      expect(await messagesOf(test.store, number)).toMatchObject([
        { status: 'delivered', accepted_at: START, updated_at: START + 7_000 },
      ]);
    });

    it('of a message that was not sent through the gateway returns nothing', async () => {
      const { slotId } = await newNumber(test.store);
      const unknown = { slotId, messageId: '3EB0UNKNOWN', status: 'read', at: START } as const;
      expect(await limits().note(unknown, sameChat)).toBe('');
    });

    it('of another number’s message returns nothing and changes nothing', async () => {
      const { number, item } = await messageWith('sent');
      const { slotId } = await newNumber(test.store);
      const foreign = { slotId, messageId: item.messageId, status: 'read', at: START } as const;
      expect(await limits().note(foreign, sameChat)).toBe('');
      expect(await statusOf(number)).toBe('sent');
    });

    it.each<[MessageRow['status'], ReceiptNote['status'], MessageRow['status']]>([
      ['accepted', 'delivered', 'delivered'],
      ['sent', 'read', 'read'],
      ['delivered', 'read', 'read'],
      ['delivered', 'played', 'played'],
      ['read', 'played', 'played'],
      ['read', 'delivered', 'read'],
      ['played', 'read', 'played'],
      ['played', 'delivered', 'played'],
    ])('on a message that is %s, with status %s, leaves it %s', async (before, type, after) => {
      const { number, item, note } = await messageWith(before);
      expect(await note(type)).toBe(item.idempotencyKey);
      expect(await statusOf(number)).toBe(after);
    });

    it('of a message that was published as failed is not published: no receipt follows a failure', async () => {
      const { number, note } = await messageWith('failed');
      expect(await note('delivered')).toBe('');
      expect(await statusOf(number)).toBe('failed');
    });

    it('proves the send: a message that still waits for its ack is settled and published as sent first', async () => {
      const { number, item, note } = await messageWith('accepted');
      expect(await note('delivered', START + 3_000)).toBe(item.idempotencyKey);
      expect(await outboxOf(test.store, number)).toEqual([]);
      expect(await statusOf(number)).toBe('delivered');
      expect(await eventsOf(test.store, number)).toEqual([
        {
          kind: 'status',
          session_id: item.sessionId,
          request_id: item.idempotencyKey,
          message_id: item.messageId,
          network_message_id: item.messageId,
          to: item.to,
          status: 'sent',
          timestamp_unix: START / 1_000 + 3,
        },
      ]);
      // Messages behind it need not wait for the retry of a message that is gone.
      expect(woken).toContainEqual([OUTBOX_TOPIC, number.slotId]);
    });

    it('proves the send once, however many receipts come together', async () => {
      const { number, item, note } = await messageWith('accepted');
      const answers = await Promise.all([note('delivered'), note('read'), note('delivered')]);
      expect(new Set(answers)).toEqual(new Set([item.idempotencyKey]));
      expect(await statusOf(number)).toBe('read');
      expect(await eventsOf(test.store, number)).toMatchObject([{ status: 'sent' }]);
    });

    it('changes no other message of its number', async () => {
      const { number, item, note } = await messageWith('sent');
      const other = itemOf(number);
      await test.store.run(acceptMessage, other);
      await note('read');
      const states = new Map((await messagesOf(test.store, number)).map(({ id, status }) => [id, status]));
      expect([states.get(item.messageId), states.get(other.messageId)]).toEqual(['read', 'accepted']);
    });

    it.each(['delivered', 'read'] as const)(
      'with a late %s does not touch the time of the last change',
      async (type) => {
        const { number, note } = await messageWith('read');
        await note(type, START + 9_000);
        expect(await messagesOf(test.store, number)).toMatchObject([{ updated_at: START }]);
      },
    );

    it('is recorded separately in a batch, in any order', async () => {
      const [one, other] = [await messageWith('sent'), await messageWith('sent')];
      const answers = await Promise.all([
        one.note('read'),
        other.note('delivered'),
        one.note('delivered'),
        other.note('played'),
        other.note('read'),
      ]);
      const [a, b] = [one.item.idempotencyKey, other.item.idempotencyKey];
      expect(answers).toEqual([a, b, a, b, b]);
      expect([await statusOf(one.number), await statusOf(other.number)]).toEqual(['read', 'played']);
    });
  },
  'shared by all tests',
  commandModules,
);
