import type { MessageState } from '@parley/contract';
import { beforeAll, expect, it } from 'vitest';
import type { OwnedNumber } from '#platform/http';
import { describeOnEachDatabase } from '#testing';
import { messagesOf, outboxDepth, sendingStatesOf } from './message-queries.ts';
import { addMessage, newNumber } from './testing/rows.ts';

const NOON = Date.UTC(2026, 6, 18, 12);
const DAY_MS = 86_400_000;
describeOnEachDatabase('sent messages of a number', (testStore) => {
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

  it('are listed newest first, page by page', async () => {
    const idsOf = async (query: object) =>
      (await messagesOf(testStore.store, number, { limit: 10, ...query })).map(
        ({ message_id }) => message_id,
      );
    expect(await idsOf({})).toEqual(ids.toReversed());
    expect(await idsOf({ limit: 2 })).toEqual([ids[4], ids[3]]);
    expect(await idsOf({ limit: 2, before: ids[3] })).toEqual([ids[2], ids[1]]);
    expect(await idsOf({ status: 'failed' })).toEqual([ids[1]]);
  });

  it('count against the limits: what may still go, and until when a cooldown lasts', async () => {
    const { store } = testStore;
    expect(await outboxDepth(store)).toEqual({ waiting: 0, oldestAt: null });
    const state = async (now: number) => {
      const wanted = [number, neighbour].map(({ slotId }) => ({ slotId, sendsPerMinute: 30 }));
      return (await sendingStatesOf(store, number.accountId, wanted, now)).get(number.slotId);
    };
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
