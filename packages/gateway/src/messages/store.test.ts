import type { MessageState } from '@parley/contract';
import { beforeAll, expect, it } from 'vitest';
import type { OwnedNumber } from '#http';
import { messageIdAt } from '#kernel';
import type { Store } from '#store';
import { describeOnEachDatabase } from '#testing';
import { dailyUsageOf, messagesOf, outboxDepth, sendingStateOf } from './store.ts';
import { newNumber, sessionIdOf } from './testing/rows.ts';

const NOON = Date.UTC(2026, 6, 18, 12);
const DAY_MS = 86_400_000;
let made = 0;

async function addMessage(store: Store, number: OwnedNumber, at: number, status: MessageState) {
  const id = `${messageIdAt(at)}${String(++made).padStart(10, '0')}`;
  await store.transaction((trx) =>
    trx
      .insertInto('messages')
      .values({
        id,
        account_id: number.accountId,
        slot_id: number.slotId,
        session_id: sessionIdOf(number),
        request_id: id,
        to_jid: '15550002001@s.whatsapp.net',
        type: 'text',
        status,
        reason: null,
        accepted_at: at,
        updated_at: at,
      })
      .execute(),
  );
  return id;
}

describeOnEachDatabase('what a number has sent', (testStore) => {
  let number: OwnedNumber;
  let neighbour: OwnedNumber;
  const ids: string[] = [];

  beforeAll(async () => {
    const { store } = testStore;
    number = await newNumber(store);
    neighbour = await newNumber(store);
    const sent: [number, MessageState][] = [
      [NOON - 40 * DAY_MS, 'read'],
      [NOON - DAY_MS - 1, 'failed'],
      [NOON - DAY_MS, 'delivered'],
      // The first and the last moment of a day.
      [NOON - DAY_MS / 2, 'accepted'],
      [NOON + DAY_MS / 2 - 1, 'sent'],
    ];
    for (const [at, status] of sent) ids.push(await addMessage(store, number, at, status));
    await addMessage(store, neighbour, NOON, 'sent');
  });

  it('is listed newest first, page by page', async () => {
    const idsOf = async (query: object) =>
      (await messagesOf(testStore.store, number, { limit: 10, ...query })).map(
        ({ message_id }) => message_id,
      );
    expect(await idsOf({})).toEqual(ids.toReversed());
    expect(await idsOf({ limit: 2 })).toEqual([ids[4], ids[3]]);
    expect(await idsOf({ limit: 2, before: ids[3] })).toEqual([ids[2], ids[1]]);
    expect(await idsOf({ status: 'failed' })).toEqual([ids[1]]);
  });

  it('is counted by day, empty days too, and nobody else’s with it', async () => {
    const days = await dailyUsageOf(testStore.store, [number.slotId], { days: 3, now: NOON });
    expect(days).toEqual([
      { date: '2026-07-16', accepted: 0, sent: 0, delivered: 0, failed: 0 },
      { date: '2026-07-17', accepted: 2, sent: 1, delivered: 1, failed: 1 },
      { date: '2026-07-18', accepted: 2, sent: 1, delivered: 0, failed: 0 },
    ]);
    const both = await dailyUsageOf(testStore.store, [number.slotId, neighbour.slotId], {
      days: 1,
      now: NOON,
    });
    expect(both).toMatchObject([{ accepted: 3, sent: 2 }]);
    expect(await dailyUsageOf(testStore.store, [], { days: 1, now: NOON })).toMatchObject([{ accepted: 0 }]);
  });

  it('is measured against the limits: what may still go, and until when a cooldown lasts', async () => {
    const { store } = testStore;
    expect(await outboxDepth(store)).toEqual({ waiting: 0, oldestAt: null });
    const state = (now: number) => sendingStateOf(store, number, { sendsPerMinute: 30, now });
    expect(await state(NOON)).toEqual({
      per_minute: 30,
      remaining: 5,
      reset_seconds: 0,
      consecutive: 0,
      paused_until_unix: null,
      queued: 0,
    });
    await store.transaction(async (trx) => {
      const used = {
        run_length: 7,
        run_since: NOON,
        last_sent_at: NOON,
        paused_until: NOON + 300_000,
        new_chats: '[]',
        next_seq: 8,
      };
      await trx
        .insertInto('send_limits')
        .values({
          slot_id: number.slotId,
          plan_full_at: NOON + 4_000,
          session_full_at: NOON + 2_000,
          ...used,
        })
        .execute();
      const queued = { slot_id: number.slotId, seq: 7, message_id: ids[3] ?? '', attempts: 0, due_at: NOON };
      await trx
        .insertInto('outbox')
        .values({ ...queued, sealed: new Uint8Array(1) })
        .execute();
    });
    expect(await state(NOON)).toMatchObject({
      remaining: 0,
      consecutive: 7,
      paused_until_unix: NOON / 1_000 + 300,
      queued: 1,
    });
    expect(await state(NOON + 300_000)).toMatchObject({
      remaining: 5,
      consecutive: 0,
      paused_until_unix: null,
    });
    expect(await outboxDepth(store)).toEqual({ waiting: 1, oldestAt: NOON - DAY_MS / 2 });
  });
});
