import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EgressError } from '#egress';
import { textEvent } from '#event-log/testing';
import type { Caller, OwnedNumber } from '#http';
import type { Store } from '#store';
import { describeOnEachDatabase } from '#testing';
import type { Deliveries } from '../delivery/deliveries.ts';
import { registerWebhook, removeWebhook, updateWebhook } from '../endpoints/configuration.ts';
import { createHistoryRetention } from '../history/retention.ts';
import {
  COMMAND_MODULES,
  createHarness,
  createReceivers,
  type Receivers,
  type TestHarness,
} from '../testing/index.ts';
import { failingReceivers } from './list.ts';
import { startFailureWatch } from './tell.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const HOOK = 'https://receiver.example/hook';

describeOnEachDatabase('a receiver', tellTheStory, 'shared by all tests', COMMAND_MODULES);

function tellTheStory(testStore: { readonly store: Store }): void {
  let harness: TestHarness;
  let receivers: Receivers;
  let running: Deliveries;
  let number: OwnedNumber;
  let caller: Caller;
  let id: string;

  beforeEach(async () => {
    harness = createHarness(testStore.store);
    receivers = createReceivers(harness.clock);
    number = await harness.newNumber();
    caller = { accountId: number.accountId, permissions: null, phone: null, blocked: null };
    ({ id } = await registerWebhook(harness, number, { messages_url: HOOK }));
    running = harness.deliverWith(receivers);
  });
  afterEach(async () => {
    await stop();
    await testStore.store.transaction(async (trx) => {
      await trx.deleteFrom('deliveries').execute();
      await trx.deleteFrom('failing_receivers').execute();
    });
  });

  async function stop(): Promise<void> {
    const stopped = running.stop();
    harness.clock.advance(10_000);
    await stopped;
  }

  async function startAgain(): Promise<void> {
    await stop();
    // The lease of a process that died ends by itself.
    harness.clock.advance(MINUTE);
    running = harness.deliverWith(receivers);
  }

  let emitted = 0;
  const emit = async (count: number) => {
    const events = Array.from({ length: count }, () => {
      const key = `M${++emitted}`;
      return { ...number, key, event: { ...textEvent(key), chat_jid: `1555${emitted}@s.whatsapp.net` } };
    });
    await harness.log.emit(events);
  };
  const failing = () => failingReceivers(harness, number.accountId);
  const until = (condition: () => unknown) =>
    vi.waitFor(async () => expect(await condition()).toBeTruthy(), { timeout: 10_000, interval: 5 });
  /** A minute passes before each look. */
  const untilTime = (condition: () => unknown) =>
    until(() => {
      harness.clock.advance(MINUTE);
      return condition();
    });
  const unix = () => Math.floor(harness.clock.now() / 1_000);

  test('that fails is known with its cause, what waits and when it is asked again, until it works', async () => {
    receivers.answer = () => 500;
    const since = unix();
    await emit(2);
    await until(() => receivers.received.length === 2);
    expect(await failing()).toEqual([]);
    await emit(12);
    await until(async () => (await failing())[0]?.left_alone);
    const [found] = await failing();
    expect(found).toMatchObject({
      url: HOOK,
      webhooks: [{ webhook_id: id, phone: number.phone }],
      failing_since_unix: since,
      cause: 'server_error',
      status_code: 500,
      oldest_waiting_at_unix: since,
    });
    expect(found?.waiting).toBe(14);
    expect(found?.next_attempt_at_unix).toBeGreaterThan(unix());

    // Another process takes over: it fails since the same moment, and another way.
    harness.clock.advance(30 * MINUTE);
    receivers.answer = () => Promise.reject(new EgressError('unresolvable'));
    await startAgain();
    await until(async () => (await failing())[0]?.cause === 'nowhere');
    expect((await failing())[0]).toMatchObject({ failing_since_unix: since, status_code: null });

    receivers.answer = () => 200;
    await startAgain();
    await untilTime(async () => (await failing()).length === 0);
  });

  test('is forgotten with the last webhook that sends to it', async () => {
    receivers.answer = () => 401;
    await emit(5);
    await until(async () => (await failing())[0]?.cause === 'unauthorized');
    await removeWebhook(harness, caller, id);
    expect(await testStore.store.read.selectFrom('failing_receivers').selectAll().execute()).toEqual([]);
  });

  test('of a paused webhook gets what happened meanwhile, in order, for three days', async () => {
    await updateWebhook(harness, caller, id, { paused: true });
    await emit(3);
    const retention = createHistoryRetention({ ...harness, log: { error: () => {} } });
    harness.clock.advance(2 * DAY);
    await retention.trimAll();
    await emit(1);
    harness.clock.advance(DAY + MINUTE);
    await retention.trimAll();
    expect(receivers.received).toEqual([]);
    expect(await updateWebhook(harness, caller, id, { paused: false })).not.toHaveProperty('paused');
    await until(() => receivers.received.length === 1);
    expect(receivers.received[0]?.headers['X-Message-ID']).toBe(`M${emitted}`);
    // What was too old is a dead letter, and what was kept has a whole day again.
    const statuses = await testStore.store.read
      .selectFrom('deliveries')
      .select('status')
      .where('account_id', '=', number.accountId)
      .orderBy('seq')
      .execute();
    expect(statuses.slice(0, 3)).toEqual([{ status: 'dead' }, { status: 'dead' }, { status: 'dead' }]);
  });

  test('that fails for an hour is told of once, by whichever process, and again when it fails anew', async () => {
    const told: (readonly string[])[] = [];
    const wakes = vi.fn();
    const watch = () =>
      startFailureWatch({
        ...harness,
        tellOwners: async () => async (_trx, urls) => void told.push(urls),
        onTold: wakes,
        log: { error: (details) => expect(details).toBeUndefined() },
      });
    const watches = [watch(), watch()];
    receivers.answer = () => 503;
    await emit(12);
    await until(async () => (await failing())[0]?.left_alone);
    harness.clock.advance(50 * MINUTE);
    await until(async () => (await failing())[0] !== undefined);
    expect(told).toEqual([]);
    await untilTime(() => wakes.mock.calls.length === 1);
    for (let minute = 0; minute < 5; minute++) await untilTime(failing);
    expect(told).toEqual([[HOOK]]);

    receivers.answer = () => 200;
    await untilTime(async () => (await failing()).length === 0);
    receivers.answer = () => 503;
    await emit(12);
    await untilTime(async () => (await failing())[0]?.left_alone);
    harness.clock.advance(HOUR);
    await untilTime(() => wakes.mock.calls.length === 2);
    const stopped = Promise.all(watches.map((each) => each.stop()));
    harness.clock.advance(MINUTE);
    await stopped;
    expect(told).toHaveLength(2);
  });
}
