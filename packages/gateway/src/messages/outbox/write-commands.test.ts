import { describe, expect, it } from 'vitest';
import type { OwnedNumber } from '#platform/http';
import { describeOnEachDatabase, untilLockWaiter } from '#testing';
import type { AcceptItem } from '../accept/batch.ts';
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
  START,
} from '../testing/rows.ts';
import { type Outcome, settlementOf } from './outcome.ts';
import { postponeMessage, type Settlement, settleMessage } from './write-commands.ts';

const LATER = START + 5_000;
const SENT: Outcome = { kind: 'sent' };

describeOnEachDatabase(
  'the settlement of a message',
  (test) => {
    async function accepted(number: OwnedNumber): Promise<AcceptItem> {
      const item = itemOf(number);
      await test.store.run(acceptMessage, item);
      return item;
    }

    async function settlement(
      number: OwnedNumber,
      item: AcceptItem,
      { outcome = SENT, fence = 1 }: { outcome?: Outcome; fence?: Settlement['fence'] } = {},
    ) {
      if (outcome.kind !== 'sent' && outcome.kind !== 'failed') throw new TypeError('that is no end');
      const queue = await outboxOf(test.store, number);
      const seq = queue.find(({ message_id }) => message_id === item.messageId)?.seq ?? 0;
      const head = {
        slot_id: number.slotId,
        seq,
        message_id: item.messageId,
        account_id: number.accountId,
        request_id: item.idempotencyKey,
        to_jid: item.to,
        session_id: item.sessionId,
      };
      return settlementOf({ fence, head, outcome, now: LATER, prepare: eventLogOf(test.store).prepare });
    }

    it('stores the history entry of a number that keeps its conversations, exactly when it settles the message', async () => {
      const { store } = test;
      const number = await newNumber(store);
      await linkNumber(store, number);
      const { slotId, accountId } = number;
      const historyId = `history of ${slotId}`;
      const history = { id: historyId, slot_id: slotId, account_id: accountId, since: START, ended_at: null };
      await store.transaction((trx) =>
        trx
          .insertInto('histories')
          .values({ ...history, days: 30, media: 1 })
          .execute(),
      );
      const item = await accepted(number);
      const { messageId, to: chat } = item;
      const place = { at: LATER, seq: 1, expiresAt: null, state: 0, isPast: false, author: null };
      const entry = { type: 'message', historyId, chat, messageId, fromMe: 1, ...place } as const;
      const kept = [{ ...entry, sealed: Buffer.from('sealed') }];
      const messages = store.read.selectFrom('history_messages').select(['message_id', 'from_me']);
      const ofHistory = messages.where('history_id', '=', historyId);
      const stale = { ...(await settlement(number, item, { fence: 7 })), kept };
      expect(await store.run(settleMessage, stale)).toBe(false);
      expect(await ofHistory.execute()).toEqual([]);
      const ours = { ...(await settlement(number, item)), kept };
      expect(await store.run(settleMessage, ours)).toBe(true);
      expect(await store.run(settleMessage, ours)).toBe(false);
      expect(await ofHistory.execute()).toEqual([{ message_id: messageId, from_me: 1 }]);
    });

    it('removes it from the queue, records its outcome and publishes it', async () => {
      const { store } = test;
      const number = await newNumber(store);
      await linkNumber(store, number);
      const [first, second] = [await accepted(number), await accepted(number)];
      const failed: Outcome = { kind: 'failed', reason: 'MEDIA_FAILED', detail: 'The file is too large.' };
      expect(await store.run(settleMessage, await settlement(number, first))).toBe(true);
      expect(await store.run(settleMessage, await settlement(number, second, { outcome: failed }))).toBe(
        true,
      );

      expect(await outboxOf(store, number)).toEqual([]);
      expect(await messagesOf(store, number)).toMatchObject([
        { id: first.messageId, status: 'sent', reason: null, accepted_at: START, updated_at: LATER },
        { id: second.messageId, status: 'failed', reason: 'MEDIA_FAILED', updated_at: LATER },
      ]);
      const common = {
        kind: 'status',
        session_id: first.sessionId,
        to: first.to,
        timestamp_unix: LATER / 1_000,
      };
      expect(await eventsOf(store, number)).toEqual([
        {
          ...common,
          request_id: first.idempotencyKey,
          message_id: first.messageId,
          network_message_id: first.messageId,
          status: 'sent',
        },
        {
          ...common,
          request_id: second.idempotencyKey,
          message_id: second.messageId,
          status: 'failed',
          reason: 'MEDIA_FAILED',
          detail: 'The file is too large.',
        },
      ]);
    });

    it('happens once, also when requested twice in one batch', async () => {
      const { store } = test;
      const number = await newNumber(store);
      await linkNumber(store, number);
      const end = await settlement(number, await accepted(number));
      const answers = await Promise.all([store.run(settleMessage, end), store.run(settleMessage, end)]);
      expect(answers.sort()).toEqual([false, true]);
      expect(await store.run(settleMessage, end)).toBe(false);
      expect(await eventsOf(store, number)).toHaveLength(1);
    });

    it('settles each message of a batch separately', async () => {
      const { store } = test;
      const numbers = [await newNumber(store), await newNumber(store), await newNumber(store)];
      const ends = [];
      for (const [index, number] of numbers.entries()) {
        await linkNumber(store, number);
        ends.push(await settlement(number, await accepted(number), { fence: index === 1 ? 9 : 1 }));
      }
      expect(await Promise.all(ends.map((end) => store.run(settleMessage, end)))).toEqual([
        true,
        false,
        true,
      ]);
      const queues = await Promise.all(numbers.map((number) => outboxOf(store, number)));
      expect(queues.map((queue) => queue.length)).toEqual([0, 1, 0]);
    });

    it('changes nothing for a host that has been replaced', async () => {
      const { store } = test;
      const number = await newNumber(store);
      await linkNumber(store, number, { fence: 2 });
      const item = await accepted(number);
      expect(await store.run(settleMessage, await settlement(number, item, { fence: 1 }))).toBe(false);
      expect(await outboxOf(store, number)).toHaveLength(1);
      expect(await messagesOf(store, number)).toMatchObject([{ status: 'accepted' }]);
      expect(await eventsOf(store, number)).toEqual([]);
      expect(await store.run(settleMessage, await settlement(number, item, { fence: 2 }))).toBe(true);
    });

    it.each(['settled', 'postponed'])(
      'by a host that is being replaced at this moment is not %s',
      async (how) => {
        const { store } = test;
        const number = await newNumber(store);
        await linkNumber(store, number);
        const end = await settlement(number, await accepted(number));
        const put = {
          ...{ slotId: number.slotId, seq: end.seq, fence: 1 },
          ...{ attempts: 1, dueAt: LATER, holdsNumber: false },
        };
        const [claimed, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const claim = store.transaction(async (trx) => {
          await trx.updateTable('sessions').set({ fence: 2 }).where('slot_id', '=', number.slotId).execute();
          claimed.resolve();
          await asked.promise;
        });
        await claimed.promise;
        const write = how === 'settled' ? store.run(settleMessage, end) : store.run(postponeMessage, put);
        await Promise.race([write, untilLockWaiter(store)]);
        asked.resolve();
        await claim;
        expect(await write).toBe(false);
        expect(await outboxOf(store, number)).toMatchObject([{ attempts: 0, due_at: START }]);
      },
    );

    it.each([
      ['is linked', 'connected', false],
      ['was logged out', 'logged_out', true],
    ] as const)('without a host is possible only when the number %s', async (_what, status, possible) => {
      const { store } = test;
      const number = await newNumber(store);
      await linkNumber(store, number, { status });
      const end = await settlement(number, await accepted(number), { fence: null });
      expect(await store.run(settleMessage, end)).toBe(possible);
    });

    it('without a host is possible when the number has no link at all', async () => {
      const number = await newNumber(test.store);
      const end = await settlement(number, await accepted(number), { fence: null });
      expect(await test.store.run(settleMessage, end)).toBe(true);
    });

    it('needs no host when a receipt proves the send', async () => {
      const number = await newNumber(test.store);
      await linkNumber(test.store, number, { fence: 7 });
      const end = await settlement(number, await accepted(number), { fence: 'proven' });
      expect(await test.store.run(settleMessage, end)).toBe(true);
      expect(await messagesOf(test.store, number)).toMatchObject([{ status: 'sent' }]);
    });

    describe('or its postponement', () => {
      it('records the attempt and the time of the next one', async () => {
        const { store } = test;
        const number = await newNumber(store);
        await linkNumber(store, number);
        await accepted(number);
        await accepted(number);
        const put = { slotId: number.slotId, seq: 1, fence: 1, attempts: 2, dueAt: LATER, holdsNumber: true };
        expect(await store.run(postponeMessage, put)).toBe(true);
        expect(await outboxOf(store, number)).toMatchObject([
          { seq: 1, attempts: 2, due_at: LATER, holds_number: 1 },
          { seq: 2, attempts: 0, due_at: START, holds_number: 0 },
        ]);
      });

      it('changes nothing for a host that has been replaced', async () => {
        const { store } = test;
        const number = await newNumber(store);
        await linkNumber(store, number, { fence: 2 });
        await accepted(number);
        const put = {
          slotId: number.slotId,
          seq: 1,
          fence: 1,
          attempts: 1,
          dueAt: LATER,
          holdsNumber: false,
        };
        expect(await store.run(postponeMessage, put)).toBe(false);
        expect(await outboxOf(store, number)).toMatchObject([{ attempts: 0, due_at: START }]);
      });
    });
  },
  'shared by all tests',
  commandModules,
);
