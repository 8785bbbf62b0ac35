import { beforeEach, expect, test, vi } from 'vitest';
import { textEvent } from '#events/testing';
import { EgressError } from '#platform/egress';
import type { Store } from '#platform/store';
import { describeOnEachDatabase } from '#testing';
import { registerWebhook, removeWebhook, updateWebhook } from '../endpoints/configuration.ts';
import { hurryWebhook } from '../history/repeat.ts';
import { createHistoryRetention } from '../history/retention.ts';
import { COMMAND_MODULES, useDelivering } from '../testing/index.ts';
import { failingReceivers, startFailureWatch } from './failure-watch.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const HOOK = 'https://receiver.example/hook';

describeOnEachDatabase('a receiver', defineTests, 'shared by all tests', COMMAND_MODULES);

function defineTests(testStore: { readonly store: Store }): void {
  const given = useDelivering(testStore);
  const { stopAll, until } = given;
  let id: string;

  beforeEach(async () => {
    ({ id } = await registerWebhook(given.harness, given.number, { messages_url: HOOK }));
  });

  async function startAgain(): Promise<void> {
    await stopAll();
    // The lease of a process that died expires.
    given.harness.clock.advance(MINUTE);
    given.start();
  }

  let emitted = 0;
  const emit = async (count: number) => {
    const events = Array.from({ length: count }, () => {
      const key = `M${++emitted}`;
      return {
        ...given.number,
        key,
        event: { ...textEvent(key), chat_jid: `1555${emitted}@s.whatsapp.net` },
      };
    });
    await given.harness.log.emit(events);
  };
  const failing = async () => (await failingReceivers(given.harness, given.number.accountId)).items;
  /** A minute passes before each tenth look: leases and deadlines outlive a slow answer of the database. */
  const untilTime = (condition: () => unknown) => {
    let looks = 0;
    return until(() => {
      if (looks++ % 10 === 0) given.harness.clock.advance(MINUTE);
      return condition();
    });
  };
  const unix = () => Math.floor(given.harness.clock.now() / 1_000);

  test('that fails is known with its cause, what waits and when it is asked again, until it works', async () => {
    given.receivers.answer = () => 500;
    const since = unix();
    await emit(2);
    await until(() => given.receivers.received.length === 2);
    expect(await failing()).toEqual([]);
    await emit(12);
    await until(async () => (await failing())[0]?.left_alone);
    const [found] = await failing();
    expect(found).toMatchObject({
      url: HOOK,
      webhooks: [{ webhook_id: id, phone: given.number.phone }],
      failing_since_unix: since,
      cause: 'server_error',
      status_code: 500,
      oldest_waiting_at_unix: since,
    });
    expect(found?.waiting).toBe(14);
    expect(found?.next_attempt_at_unix).toBeGreaterThan(unix());

    // Another process takes over: it fails since the same moment, and another way.
    given.harness.clock.advance(30 * MINUTE);
    given.receivers.answer = () => Promise.reject(new EgressError('unresolvable'));
    await startAgain();
    await until(async () => (await failing())[0]?.cause === 'nowhere');
    expect((await failing())[0]).toMatchObject({ failing_since_unix: since, status_code: null });

    given.receivers.answer = () => 200;
    await startAgain();
    await untilTime(async () => (await failing()).length === 0);
  });

  test('that is left alone is asked at once when its owner says so', async () => {
    given.receivers.answer = () => 500;
    await emit(12);
    await until(async () => (await failing())[0]?.left_alone);
    given.receivers.answer = () => 200;
    await hurryWebhook(given.harness, given.caller, id);
    await until(async () => (await given.rows()).some(({ status }) => status === 'delivered'));
    // An attempt that was under way fails afterwards, and is repeated at its own time.
    await untilTime(async () => (await given.rows()).every(({ status }) => status === 'delivered'));
  });

  test('is known with what waits for it alone', async () => {
    const otherUrl = `${HOOK}/other`;
    await registerWebhook(
      given.harness,
      { ...(await given.harness.newNumber()), accountId: given.number.accountId },
      { messages_url: otherUrl },
    );
    given.receivers.answer = () => 500;
    await emit(3);
    await until(async () => (await failing())[0]?.waiting === 3);
    await testStore.store.transaction((trx) =>
      trx.updateTable('deliveries').set({ url: otherUrl }).where('event_id', '=', `M${emitted}`).execute(),
    );
    expect(await failing()).toMatchObject([{ url: HOOK, waiting: 2 }]);
  });

  test('is forgotten with the last webhook that sends to it', async () => {
    given.receivers.answer = () => 401;
    await emit(5);
    await until(async () => (await failing())[0]?.cause === 'unauthorized');
    await removeWebhook(given.harness, given.caller, id);
    expect(await testStore.store.read.selectFrom('failing_receivers').selectAll().execute()).toEqual([]);
  });

  test('of a paused webhook gets what happened meanwhile, in order, for three days', async () => {
    await updateWebhook(given.harness, given.caller, id, { paused: true });
    await emit(3);
    const retention = createHistoryRetention({ ...given.harness, log: { debug() {}, error: () => {} } });
    given.harness.clock.advance(2 * DAY);
    await retention.trimAll();
    await emit(1);
    given.harness.clock.advance(DAY + MINUTE);
    await retention.trimAll();
    expect(given.receivers.received).toEqual([]);
    expect(await updateWebhook(given.harness, given.caller, id, { paused: false })).not.toHaveProperty(
      'paused',
    );
    await until(() => given.receivers.received.length === 1);
    expect(given.receivers.received[0]?.headers['X-Message-ID']).toBe(`M${emitted}`);
    // What was too old is a dead letter, and what was kept has a whole day again.
    const statuses = await testStore.store.read
      .selectFrom('deliveries')
      .select('status')
      .where('account_id', '=', given.number.accountId)
      .orderBy('seq')
      .execute();
    expect(statuses.slice(0, 3)).toEqual([{ status: 'dead' }, { status: 'dead' }, { status: 'dead' }]);
  });

  test('that fails for an hour causes one notification, from any process, and another when it fails anew', async () => {
    const notified: (readonly string[])[] = [];
    const wakes = vi.fn();
    const watch = () =>
      startFailureWatch({
        ...given.harness,
        notifyOwners: async () => async (_trx, urls) => void notified.push(urls),
        onNotified: wakes,
        log: { debug() {}, error: (details) => expect(details).toBeUndefined() },
      });
    const watches = [watch(), watch()];
    given.receivers.answer = () => 503;
    await emit(12);
    await until(async () => (await failing())[0]?.left_alone);
    given.harness.clock.advance(50 * MINUTE);
    await until(async () => (await failing())[0] !== undefined);
    expect(notified).toEqual([]);
    await untilTime(() => wakes.mock.calls.length === 1);
    for (let minute = 0; minute < 5; minute++) await untilTime(failing);
    expect(notified).toEqual([[HOOK]]);

    given.receivers.answer = () => 200;
    await untilTime(async () => (await failing()).length === 0);
    given.receivers.answer = () => 503;
    await emit(12);
    await untilTime(async () => (await failing())[0]?.left_alone);
    given.harness.clock.advance(HOUR);
    await untilTime(() => wakes.mock.calls.length === 2);
    const stopped = Promise.all(watches.map((each) => each.stop()));
    given.harness.clock.advance(MINUTE);
    await stopped;
    expect(notified).toHaveLength(2);
  });
}
