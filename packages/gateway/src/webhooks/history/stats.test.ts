import type { DeliveryAttempt } from '@parley/contract';
import { beforeAll, expect, it } from 'vitest';
import { ApiError, createSteppedClock } from '#kernel';
import type { Caller } from '#platform/http';
import type { DeliveryRow } from '#platform/store';
import { describeOnEachDatabase } from '#testing';
import { queueDepths } from './delivery-queries.ts';
import { deliveryStats } from './stats.ts';

const NOW = Date.UTC(2026, 6, 18, 12, 30);
const HOUR_MS = 3_600_000;
const ada: Caller = { accountId: 'acc_ada', permissions: null, phone: null, blocked: null };

describeOnEachDatabase('the figures of a webhook', (testStore) => {
  const clock = createSteppedClock(NOW);
  const stats = (bucket: 'hour' | 'day', caller = ada, id = 'wh_ada') =>
    deliveryStats({ store: testStore.store, clock }, caller, id, bucket);

  const attempt = (at: number, duration_ms: number, status_code?: number): DeliveryAttempt => ({
    at_unix: at / 1_000,
    duration_ms,
    ...(status_code === undefined ? { error: 'timeout' } : { status_code }),
  });

  async function deliver(status: DeliveryRow['status'], attempts: DeliveryAttempt[], webhookId = 'wh_ada') {
    const url = 'https://app.example.com/hook';
    const event = {
      event_seq: null,
      event_id: 'ev_1',
      kind: 'message',
      category: 'messages',
      event: '{}',
    } as const;
    const times = { queued_at: NOW - HOUR_MS, due_at: NOW };
    await testStore.store.transaction((trx) =>
      trx
        .insertInto('deliveries')
        .values({
          ...event,
          ...times,
          account_id: 'acc_ada',
          webhook_id: webhookId,
          url,
          size: 2,
          status,
          attempts: JSON.stringify(attempts),
        })
        .execute(),
    );
  }

  beforeAll(async () => {
    await testStore.store.transaction(async (trx) => {
      await trx
        .insertInto('accounts')
        .values({ id: 'acc_ada', name: 'Ada', email: 'ada@example.com', status: 'active', created_at: NOW })
        .execute();
      for (const [number, active] of [
        ['ada', 0],
        ['other', 1],
      ] as const) {
        const slot_id = `slot_${number}`;
        const phone = `1555000${active}000`;
        const device = { slot_id, account_id: 'acc_ada', phone, plan: 'max', status: 'active' } as const;
        await trx
          .insertInto('devices')
          .values({ ...device, activated_at: NOW, created_at: NOW })
          .execute();
        const urls = { messages_url: '', status_url: '', connection_url: '', events_url: '' };
        const row = {
          id: `wh_${number}`,
          account_id: 'acc_ada',
          slot_id,
          phone,
          active,
          extensions: '',
          ...urls,
        };
        const secrets = { secret: new Uint8Array(1), previous_secret: null, previous_secret_until: null };
        await trx
          .insertInto('webhooks')
          .values({ ...row, ...secrets, created_at: NOW })
          .execute();
      }
    });
    await deliver('delivered', [attempt(NOW - 2 * HOUR_MS, 900, 503), attempt(NOW - HOUR_MS, 100, 200)]);
    for (const ms of [10, 20, 30]) await deliver('delivered', [attempt(NOW, ms, 204)]);
    await deliver('dead', [attempt(NOW, 10_000)]);
    await deliver('delivered', [attempt(NOW - 40 * 24 * HOUR_MS, 5, 200)]);
    await deliver('delivered', [attempt(NOW - 3 * 24 * HOUR_MS, 50, 200)]);
    await deliver('pending', []);
    await deliver('paused', []);
    await deliver('delivered', [attempt(NOW, 1, 200)], 'wh_other');
  });

  it('are counted by the hour for a day, empty hours included', async () => {
    const { buckets, ...whole } = await stats('hour');
    expect(whole).toEqual({
      bucket: 'hour',
      waiting: 2,
      dead: 1,
      total: { delivered: 4, failed: 2, median_ms: 30, slowest_ms: 10_000 },
    });
    expect(buckets).toHaveLength(24);
    const hour = Date.UTC(2026, 6, 18, 12) / 1_000;
    expect(buckets.slice(-3)).toEqual([
      { start_unix: hour - 7_200, delivered: 0, failed: 1, median_ms: 900, slowest_ms: 900 },
      { start_unix: hour - 3_600, delivered: 1, failed: 0, median_ms: 100, slowest_ms: 100 },
      { start_unix: hour, delivered: 3, failed: 1, median_ms: 20, slowest_ms: 10_000 },
    ]);
    expect(buckets[0]).toMatchObject({ delivered: 0, failed: 0, median_ms: null, slowest_ms: null });
  });

  it('are counted by the day for a month', async () => {
    const { buckets, total } = await stats('day');
    expect(total).toMatchObject({ delivered: 5, failed: 2 });
    expect(buckets).toHaveLength(30);
    expect(buckets.at(-1)).toMatchObject({
      start_unix: Date.UTC(2026, 6, 18) / 1_000,
      delivered: 4,
      failed: 2,
    });
    expect(buckets.at(-4)).toMatchObject({ delivered: 1, failed: 0, median_ms: 50 });
  });

  it('are readable by their account only', async () => {
    await expect(stats('hour', { ...ada, accountId: 'acc_eve' })).rejects.toBeInstanceOf(ApiError);
  });

  it('add up to how much waits in the whole gateway', async () => {
    expect(await queueDepths(testStore.store)).toEqual({
      pending: 1,
      paused: 1,
      dead: 1,
      oldestAt: NOW - HOUR_MS,
    });
  });
});
