import { describe, expect, it } from 'vitest';
import type { Store } from '#platform/store';
import { describeOnEachDatabase } from '#testing';
import {
  commandModules,
  drawOf,
  itemOf,
  limitsOf,
  messagesOf,
  newNumber,
  outboxOf,
  START,
  usedOf,
} from '../testing/rows.ts';
import type { AcceptItem } from './batch.ts';
import { acceptMessage, chargeQuota, sendPacking } from './write-commands.ts';

const DAY = 86_400_000;

const kindsOf = (results: readonly { kind: string }[]): string[] => results.map(({ kind }) => kind);
const acceptAll = (store: Store, items: AcceptItem[]) =>
  Promise.all(items.map((item) => store.run(acceptMessage, item)));

describeOnEachDatabase(
  'accepting',
  (test) => {
    it('writes the message, its place in the queue and its cost', async () => {
      const { store } = test;
      const number = await newNumber(store);
      const first = itemOf(number);
      const second = itemOf(number, { to: '', type: 'status' });
      expect(kindsOf(await acceptAll(store, [first, second]))).toEqual(['admitted', 'admitted']);

      expect(await messagesOf(store, number)).toEqual([
        {
          id: first.messageId,
          account_id: number.accountId,
          slot_id: number.slotId,
          session_id: first.sessionId,
          request_id: first.idempotencyKey,
          to_jid: first.to,
          type: 'text',
          status: 'accepted',
          reason: null,
          accepted_at: START,
          updated_at: START,
        },
        expect.objectContaining({ id: second.messageId, to_jid: '', type: 'status' }),
      ]);
      const queue = await outboxOf(store, number);
      expect(queue).toEqual([
        expect.objectContaining({ seq: 1, message_id: first.messageId, attempts: 0, due_at: START }),
        expect.objectContaining({ seq: 2, message_id: second.messageId }),
      ]);
      expect(Buffer.from(queue[0]?.sealed ?? []).toString()).toBe(Buffer.from(first.sealed).toString());
      expect(await usedOf(store, number)).toBe(2);
      expect(await limitsOf(store, number)).toMatchObject({
        run_length: 2,
        last_sent_at: START,
        next_seq: 3,
      });
    });

    it('returns the remaining rate with every answer', async () => {
      const { store } = test;
      const number = await newNumber(store);
      const item = itemOf(number);
      const rates = [];
      for (const each of [item, item, { ...item, requestHash: Buffer.from('another') }]) {
        rates.push((await store.run(acceptMessage, each)).rate);
      }
      const four = { limit: 5, remaining: 4, resetSeconds: 1 };
      expect(rates).toEqual([four, four, four]);
    });

    it('keeps the order of arrival over many batches', async () => {
      const { store } = test;
      const number = await newNumber(store);
      const sent: string[] = [];
      for (let minute = 0; minute < 6; minute++) {
        const items = Array.from({ length: 5 }, () => itemOf(number, { now: START + minute * 60_000 }));
        await acceptAll(store, items);
        sent.push(...items.map(({ messageId }) => messageId));
      }
      expect((await outboxOf(store, number)).map(({ message_id }) => message_id)).toEqual(sent);
    });

    describe('with a key that was used before', () => {
      it('returns the first message and charges nothing', async () => {
        const { store } = test;
        const number = await newNumber(store);
        const first = itemOf(number);
        await store.run(acceptMessage, first);
        const before = await limitsOf(store, number);
        const again = await store.run(acceptMessage, {
          ...first,
          messageId: 'another',
          now: START + DAY - 1,
        });
        expect(again).toMatchObject({ kind: 'replayed', messageId: first.messageId });
        expect(await limitsOf(store, number)).toEqual(before);
        expect(await usedOf(store, number)).toBe(1);
        expect(await messagesOf(store, number)).toHaveLength(1);
      });

      it('of another number of the account starts anew: each number has its own keys', async () => {
        const { store } = test;
        const number = await newNumber(store);
        const sibling = { ...(await newNumber(store)), accountId: number.accountId };
        const first = itemOf(number, { idempotencyKey: 'order-1042' });
        const second = itemOf(sibling, { idempotencyKey: 'order-1042' });
        expect(kindsOf(await acceptAll(store, [first, second]))).toEqual(['admitted', 'admitted']);
        const later = itemOf(sibling, { idempotencyKey: 'order-1043' });
        expect(kindsOf(await acceptAll(store, [itemOf(number, { idempotencyKey: 'order-1043' })]))).toEqual([
          'admitted',
        ]);
        expect(kindsOf(await acceptAll(store, [later, { ...later, messageId: 'again' }, second]))).toEqual([
          'admitted',
          'replayed',
          'replayed',
        ]);
        expect(await messagesOf(store, sibling)).toMatchObject([
          { request_id: 'order-1042' },
          { request_id: 'order-1043' },
        ]);
      });

      it('refuses another request, and sends nothing', async () => {
        const { store } = test;
        const number = await newNumber(store);
        const first = itemOf(number);
        await store.run(acceptMessage, first);
        const other = itemOf(number, { idempotencyKey: first.idempotencyKey });
        expect(await store.run(acceptMessage, other)).toMatchObject({ kind: 'reused' });
        expect(await usedOf(store, number)).toBe(1);
        expect(await messagesOf(store, number)).toHaveLength(1);
      });

      it('forgets the first use after a day, even if its row still exists', async () => {
        const { store } = test;
        const number = await newNumber(store);
        const first = itemOf(number);
        await store.run(acceptMessage, first);
        const { idempotencyKey } = first;
        const next = itemOf(number, { idempotencyKey, now: START + DAY });
        expect(await store.run(acceptMessage, next)).toMatchObject({ kind: 'admitted' });
        const replay = await store.run(acceptMessage, {
          ...next,
          messageId: 'another',
          now: START + DAY + 1,
        });
        expect(replay).toMatchObject({ kind: 'replayed', messageId: next.messageId });
      });

      it('sends once, although many requests come at the same moment', async () => {
        const { store } = test;
        const number = await newNumber(store);
        const first = itemOf(number);
        const copies = Array.from({ length: 20 }, () => ({ ...first, messageId: itemOf(number).messageId }));
        const results = await acceptAll(store, copies);
        expect(kindsOf(results).sort()).toEqual(['admitted', ...Array(19).fill('replayed')]);
        const [message] = await messagesOf(store, number);
        expect(await messagesOf(store, number)).toHaveLength(1);
        for (const result of results) {
          if (result.kind === 'replayed') expect(result.messageId).toBe(message?.id);
        }
      });

      it('keeps the keys of accounts apart', async () => {
        const { store } = test;
        const [one, other] = [await newNumber(store), await newNumber(store)];
        const { idempotencyKey, requestHash } = itemOf(one);
        const results = await acceptAll(store, [
          itemOf(one, { idempotencyKey, requestHash }),
          itemOf(other, { idempotencyKey, requestHash }),
        ]);
        expect(kindsOf(results)).toEqual(['admitted', 'admitted']);
      });
    });

    describe('a send above a limit', () => {
      it('is refused, leaves no row and costs nothing', async () => {
        const { store } = test;
        const number = await newNumber(store);
        await acceptAll(
          store,
          Array.from({ length: 5 }, () => itemOf(number)),
        );
        const before = await limitsOf(store, number);
        const refused = itemOf(number);
        expect(await store.run(acceptMessage, refused)).toMatchObject({
          kind: 'refused',
          code: 'session_rate_exceeded',
          retryAfterMs: 1_000,
          rate: { limit: 5, remaining: 0 },
        });
        expect(await limitsOf(store, number)).toEqual(before);
        expect(await messagesOf(store, number)).toHaveLength(5);
        expect(await outboxOf(store, number)).toHaveLength(5);
        expect(await usedOf(store, number)).toBe(5);

        // Its key is still free, even for another request.
        const later = itemOf(number, { idempotencyKey: refused.idempotencyKey, now: START + 1_000 });
        expect(await store.run(acceptMessage, later)).toMatchObject({ kind: 'admitted' });
      });

      it('is refused by the account as a whole, whichever number it comes from', async () => {
        const { store } = test;
        const numbers = [await newNumber(store)];
        while (numbers.length < 9) numbers.push(await newNumber(store, numbers[0]));
        const items = numbers.flatMap((number) => Array.from({ length: 5 }, () => itemOf(number)));
        const results = await acceptAll(store, items);
        expect(kindsOf(results).filter((kind) => kind === 'admitted')).toHaveLength(40);
        expect(results.at(-1)).toMatchObject({
          kind: 'refused',
          code: 'account_rate_exceeded',
          retryAfterMs: 50,
        });
      });

      it('is refused when the period’s quota is used up, and costs no rate', async () => {
        const { store } = test;
        const number = await newNumber(store);
        const period = { ...drawOf(number).period, quota: 3 };
        const results = await acceptAll(
          store,
          Array.from({ length: 4 }, () => itemOf(number, { period })),
        );
        expect(kindsOf(results)).toEqual(['admitted', 'admitted', 'admitted', 'refused']);
        expect(results.at(-1)).toMatchObject({ code: 'quota_exhausted' });
        expect(await usedOf(store, number)).toBe(3);
        expect(await limitsOf(store, number)).toMatchObject({ run_length: 3, next_seq: 4 });
      });
    });

    it('uses the stored quota, which an operator may have raised', async () => {
      const { store } = test;
      const number = await newNumber(store);
      const period = { ...drawOf(number).period, quota: 1 };
      await store.run(acceptMessage, itemOf(number, { period }));
      expect(await store.run(acceptMessage, itemOf(number, { period }))).toMatchObject({ kind: 'refused' });
      await store.transaction((trx) =>
        trx.updateTable('device_periods').set({ quota: 2 }).where('slot_id', '=', number.slotId).execute(),
      );
      expect(await store.run(acceptMessage, itemOf(number, { period }))).toMatchObject({ kind: 'admitted' });
      expect(await store.run(acceptMessage, itemOf(number, { period }))).toMatchObject({ kind: 'refused' });
    });

    it('restarts the count with a new period', async () => {
      const { store } = test;
      const number = await newNumber(store);
      const period = { ...drawOf(number).period, quota: 1 };
      await store.run(acceptMessage, itemOf(number, { period }));
      const next = { ...period, start: period.end, end: period.end + DAY };
      const first = itemOf(number, { period: next, now: period.end });
      expect(await store.run(acceptMessage, first)).toMatchObject({ kind: 'admitted' });
      const second = itemOf(number, { period: next, now: period.end });
      expect(await store.run(acceptMessage, second)).toMatchObject({ code: 'quota_exhausted' });
      expect(await usedOf(store, number)).toBe(2);
    });

    it('charges the same budget for messages outside the outbox', async () => {
      const { store } = test;
      const number = await newNumber(store);
      await acceptAll(store, [itemOf(number), itemOf(number)]);
      const draws = await Promise.all(
        Array.from({ length: 4 }, () => store.run(chargeQuota, drawOf(number))),
      );
      expect(kindsOf(draws)).toEqual(['admitted', 'admitted', 'admitted', 'refused']);
      expect(await store.run(acceptMessage, itemOf(number))).toMatchObject({ kind: 'refused' });
      expect(await usedOf(store, number)).toBe(5);
      expect(await outboxOf(store, number)).toHaveLength(2);
    });

    it('keeps limits and keys across a restart', async () => {
      const { store } = test;
      const number = await newNumber(store);
      const items = Array.from({ length: 5 }, () => itemOf(number));
      await acceptAll(store, items);
      const reopened = await test.openAgain();
      expect(await reopened.run(acceptMessage, itemOf(number))).toMatchObject({ kind: 'refused' });
      const [first] = items;
      if (first) expect(await reopened.run(acceptMessage, first)).toMatchObject({ kind: 'replayed' });
    });
  },
  'shared by all tests',
  commandModules,
);

it('survives packing byte for byte', () => {
  const sealed = Uint8Array.from(Array.from({ length: 256 }, (_, byte) => byte));
  const sent = itemOf(
    { accountId: 'acc_1', slotId: 'slot_1', phone: '15550001001', plan: 'max' },
    { sealed, to: '‮né 🙂', idempotencyKey: 'of the caller' },
  );
  expect(sendPacking.unpack(sendPacking.pack(sent))).toEqual(sent);
});
