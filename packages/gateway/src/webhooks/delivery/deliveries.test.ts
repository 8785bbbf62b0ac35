import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { textEvent } from '#events/testing';
import { createSteppedClock } from '#kernel';
import { EgressError } from '#platform/egress';
import type { Store } from '#platform/store';
import { type DatabaseName, describeOnEachDatabase } from '#testing';
import { registerWebhook, rotateSecret } from '../endpoints/configuration.ts';
import { sendTestDelivery } from '../endpoints/test-delivery.ts';
import { deliveryDetail } from '../history/detail.ts';
import { deliveriesOf, redeliver } from '../history/history.ts';
import {
  COMMAND_MODULES,
  createHarness,
  createReceivers,
  type Receivers,
  useDelivering,
} from '../testing/index.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOOK = 'https://receiver.example/hook';

describeOnEachDatabase('deliveries', defineTests, 'shared by all tests', COMMAND_MODULES);

function defineTests(
  testStore: { readonly store: Store; openAgain(): Promise<Store> },
  database: DatabaseName,
): void {
  const given = useDelivering(testStore);
  const { emit, rows, until, stopAll } = given;
  const register = (urls = { messages_url: HOOK }) => registerWebhook(given.harness, given.number, urls);
  const history = (webhookId: string, query = {}) =>
    deliveriesOf(given.harness, given.caller, webhookId, { limit: 100, ...query });
  const receivedIds = () => given.receivers.received.map(({ headers }) => headers['X-Message-ID']);

  test('signatures carry the time of the machine, and all else that of the clock that can be moved', async () => {
    const machineClock = createSteppedClock(given.harness.clock.now() - 3 * 3_600_000);
    await stopAll();
    given.start(given.receivers, { machineClock });
    const { id, secret } = await register();
    await emit('A1', 'Later');
    await until(async () => (await rows())[0]?.status === 'delivered');
    const [request] = given.receivers.received;
    const t = Math.floor(machineClock.now() / 1_000);
    const v1 = createHmac('sha256', secret).update(`${t}.${request?.body}`).digest('hex');
    const signed = { 'X-Timestamp': `${t}`, 'X-Webhook-Signature': `t=${t},v1=${v1}` };
    expect(request?.headers).toMatchObject(signed);
    const [{ attempts } = {}] = await history(id);
    expect(attempts).toMatchObject([{ at_unix: Math.floor(given.harness.clock.now() / 1_000) }]);
  });

  test('an event reaches its receiver whole and signed, and only a redacted copy stays', async () => {
    const { id, secret } = await register();
    await emit('A1', 'Top secret 👋');
    await until(async () => (await rows())[0]?.status === 'delivered');

    const [request] = given.receivers.received;
    const timestamp = Math.floor(given.harness.clock.now() / 1_000);
    expect(request?.headers).toEqual({
      'Content-Type': 'application/json',
      'X-Webhook-ID': id,
      'X-Message-ID': 'A1',
      'X-Timestamp': `${timestamp}`,
      'X-Webhook-Signature': `t=${timestamp},v1=${createHmac('sha256', secret)
        .update(`${timestamp}.${request?.body}`)
        .digest('hex')}`,
    });
    expect(JSON.parse(request?.body ?? '')).toEqual(textEvent('A1', 'Top secret 👋'));

    expect(await history(id)).toEqual([
      {
        delivery_id: expect.stringMatching(/^dl_/),
        kind: 'message',
        url: HOOK,
        status: 'delivered',
        attempts: [{ at_unix: timestamp, status_code: 200, duration_ms: 0 }],
        event: { ...textEvent('A1', '[redacted: 15 bytes]'), sender_name: '[redacted: 3 bytes]' },
      },
    ]);
  });

  test('a receiver is not blamed for time that was travelled while it answered', async () => {
    await stopAll();
    given.start(given.receivers, { machineClock: createSteppedClock() });
    given.receivers.answer = () => {
      given.harness.clock.advance(5 * SECOND);
      return 200;
    };
    const { id } = await register();
    await emit('A1');
    await until(async () => (await rows())[0]?.status === 'delivered');
    expect((await history(id))[0]?.attempts).toMatchObject([{ status_code: 200, duration_ms: 0 }]);
  });

  test('what a tenant sees of a URL that leads inside is what they see of one that leads nowhere, to the millisecond', async () => {
    await stopAll();
    const machineClock = createSteppedClock();
    given.start(given.receivers, { machineClock });
    const failures = [
      { code: 'forbidden_address', tookMs: 3 },
      { code: 'unresolvable', tookMs: 41 },
    ] as const;
    given.receivers.answer = async ({ headers }) => {
      const { code, tookMs } = failures[headers['X-Message-ID'] === 'A1' ? 0 : 1];
      machineClock.advance(tookMs);
      throw new EgressError(code);
    };
    const { id } = await register();
    await emit('A1');
    await emit('A2');
    await until(async () => (await rows()).every(({ tries }) => tries === 1));
    const [first, second] = (await history(id)).map(({ attempts }) => attempts[0]);
    expect(first).toEqual(second);
    expect(first).toMatchObject({ error: expect.any(String), duration_ms: 0 });
  });

  test('content is nowhere in the database in the clear, queued or dead', async () => {
    given.receivers.answer = () => 500;
    await register();
    await emit('A1', 'Top secret');
    await until(async () => (await rows())[0]?.tries === 1);
    const logged = await testStore.store.read
      .selectFrom('events')
      .selectAll()
      .where('account_id', '=', given.number.accountId)
      .execute();
    const stored = JSON.stringify([logged, await rows()], (_key, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    );
    expect(stored).not.toContain('Top secret');
    expect(stored).toContain('[redacted: 10 bytes]');
  });

  test('a failing delivery is tried four times, dies, and comes back to life by hand', async () => {
    given.receivers.answer = () => 503;
    const { id } = await register();
    await emit('A1', 'Hello');
    const begun = given.harness.clock.now();

    for (const [attempt, [least, most]] of [
      [27, 33],
      [270, 330],
      [1_620, 1_980],
    ].entries()) {
      await until(async () => (await rows())[0]?.tries === attempt + 1);
      const before = given.harness.clock.now();
      expect(given.receivers.received).toHaveLength(attempt + 1);
      given.harness.clock.advance((least ?? 0) * SECOND - 1);
      expect(given.receivers.received).toHaveLength(attempt + 1);
      given.harness.clock.advance(((most ?? 0) - (least ?? 0)) * SECOND + 1);
      await until(() => given.receivers.received.length === attempt + 2);
      expect((given.receivers.received.at(-1)?.at ?? 0) - before).toBeLessThanOrEqual((most ?? 0) * SECOND);
    }
    await until(async () => (await rows())[0]?.status === 'dead');
    given.harness.clock.advance(24 * 60 * MINUTE);
    expect(given.receivers.received).toHaveLength(4);

    expect(new Set(receivedIds())).toEqual(new Set(['A1']));
    expect(new Set(given.receivers.received.map(({ body }) => body)).size).toBe(1);
    const [dead] = await history(id, { status: 'dead' });
    expect(dead).toMatchObject({ event: { text: '[redacted: 5 bytes]' }, status: 'dead' });
    expect(dead?.attempts.map(({ status_code }) => status_code)).toEqual([503, 503, 503, 503]);
    expect(dead?.attempts[0]?.at_unix).toBe(Math.floor(begun / 1_000));
    expect(dead).not.toHaveProperty('next_attempt_at_unix');

    given.receivers.answer = () => 204;
    const deliveryId = dead?.delivery_id ?? '';
    expect(await redeliver(given.harness, given.caller, id, deliveryId)).toEqual({
      delivery_id: deliveryId,
      status: 'pending',
    });
    await until(async () => (await rows())[0]?.status === 'delivered');
    expect(JSON.parse(given.receivers.received.at(-1)?.body ?? '')).toEqual(textEvent('A1', 'Hello'));
    expect((await history(id))[0]?.attempts).toHaveLength(5);
    await expect(redeliver(given.harness, given.caller, id, deliveryId)).rejects.toMatchObject({
      code: 'delivery_not_dead',
    });
    await expect(redeliver(given.harness, given.caller, id, 'dl_zzzz')).rejects.toMatchObject({
      code: 'delivery_not_found',
    });
  });

  test('delivers an event once that was emitted twice', async () => {
    await register();
    await Promise.all([emit('A1'), emit('A1')]);
    await emit('A1');
    await until(async () => (await rows())[0]?.status === 'delivered');
    expect(await rows()).toHaveLength(1);
  });

  test('categories without a URL, and numbers without a webhook, are not sent', async () => {
    const other = await given.harness.newNumber();
    await register({ messages_url: HOOK });
    const event = { kind: 'presence', session_id: 'x', contact_jid: 'y', online: true } as const;
    await given.harness.log.emit([
      { ...given.number, key: 'p', event },
      { ...other, key: 'A2', event: textEvent('A2') },
    ]);
    await emit('A1');
    await until(() => given.receivers.received.length === 1);
    expect(receivedIds()).toEqual(['A1']);
    expect(await rows()).toHaveLength(1);
  });

  test('typing is delivered and leaves no trace in the history', async () => {
    const { id } = await register({ messages_url: HOOK, events_url: HOOK } as never);
    const event = {
      kind: 'typing',
      session_id: 'x',
      sender_jid: 'y',
      chat_jid: 'y',
      is_group: false,
      typing: true,
      media: 'text',
    } as const;
    given.receivers.answer = () => 500;
    await given.harness.log.emit([{ ...given.number, key: 't1', event }]);
    await until(async () => (await rows())[0]?.tries === 1);
    expect(await history(id)).toEqual([]);
    given.receivers.answer = () => 200;
    given.harness.clock.advance(40 * SECOND);
    await until(async () => (await rows()).length === 0);
    expect(given.receivers.received).toHaveLength(2);
  });

  test('a new secret and the old one both sign for a day', async () => {
    const { id, secret: old } = await register();
    const fresh = await rotateSecret(given.harness, given.caller, id);
    const verifies = (secret: string): boolean => {
      const last = given.receivers.received.at(-1);
      const [t, ...signatures] = last?.headers['X-Webhook-Signature']?.split(',') ?? [];
      const expected = createHmac('sha256', secret)
        .update(`${t?.slice(2)}.${last?.body}`)
        .digest('hex');
      return signatures.includes(`v1=${expected}`);
    };
    await emit('A1');
    await until(() => given.receivers.received.length === 1);
    expect([verifies(fresh), verifies(old)]).toEqual([true, true]);
    expect(given.receivers.received[0]?.headers['X-Webhook-Signature']?.split(',')[1]).toBe(
      `v1=${createHmac('sha256', fresh)
        .update(`${given.receivers.received[0]?.headers['X-Timestamp']}.${given.receivers.received[0]?.body}`)
        .digest('hex')}`,
    );

    given.harness.clock.advance(24 * 60 * MINUTE);
    await emit('A2');
    await until(() => given.receivers.received.length === 2);
    expect([verifies(fresh), verifies(old)]).toEqual([true, false]);
  });

  test('a test delivery takes the way of every delivery', async () => {
    const { id } = await register({ messages_url: HOOK });
    const { delivery_id } = await sendTestDelivery(given.harness, given.caller, id, {});
    await until(async () => (await rows())[0]?.status === 'delivered');
    const example = JSON.parse(given.receivers.received[0]?.body ?? '');
    expect(example).toMatchObject({ kind: 'message', session_id: `${given.number.phone}@s.whatsapp.net` });
    expect(receivedIds()[0]).toMatch(/^test_/);
    const [kept] = await history(id);
    expect(kept).toMatchObject({ delivery_id, event: { text: '[redacted: 18 bytes]' } });
    await expect(
      sendTestDelivery(given.harness, given.caller, id, { category: 'connection' }),
    ).rejects.toMatchObject({
      code: 'webhook_has_no_url',
    });
  });

  test('the log of deliveries is filtered and paged, newest first', async () => {
    given.receivers.answer = ({ body }) => (body.includes('"A2"') ? 500 : 200);
    const { id } = await register();
    for (const each of ['A1', 'A2', 'A3']) await emit(each);
    await until(async () =>
      (await rows()).every(({ status, tries }) => status === 'delivered' || tries === 1),
    );
    const ids = (list: { event: Record<string, unknown> }[]) => list.map(({ event }) => event.message_id);
    const all = await history(id);
    expect(ids(all)).toEqual(['A3', 'A2', 'A1']);
    expect(ids(await history(id, { status: 'pending' }))).toEqual(['A2']);
    expect((await history(id, { status: 'pending' }))[0]).toHaveProperty('next_attempt_at_unix');
    expect(ids(await history(id, { limit: 1 }))).toEqual(['A3']);
    expect(ids(await history(id, { before: all[0]?.delivery_id, limit: 1 }))).toEqual(['A2']);
    expect(await history(id, { kind: 'call' })).toEqual([]);
    // A second of the interval counts whole.
    await testStore.store.transaction((trx) =>
      trx
        .updateTable('deliveries')
        .set({ queued_at: given.harness.clock.now() + 1_999 })
        .where('event_id', '=', 'A3')
        .execute(),
    );
    const second = Math.floor(given.harness.clock.now() / SECOND) + 1;
    expect(ids(await history(id, { to_unix: second }))).toEqual(['A3', 'A2', 'A1']);
    expect(ids(await history(id, { to_unix: second - 1 }))).toEqual(['A2', 'A1']);
    expect(ids(await history(id, { from_unix: second }))).toEqual(['A3']);
    const stranger = { ...given.caller, accountId: (await given.harness.newNumber()).accountId };
    await expect(deliveriesOf(given.harness, stranger, id, { limit: 1 })).rejects.toMatchObject({
      code: 'webhook_not_found',
    });
    await expect(
      deliveriesOf(given.harness, { ...given.caller, phone: '15550009999' }, id, { limit: 1 }),
    ).rejects.toMatchObject({ code: 'key_restricted' });
  });

  test('the detail of a delivery has its own answers, and belongs to its webhook', async () => {
    given.receivers.answer = ({ body }) =>
      body.includes('"A2"') ? Promise.reject(new EgressError('unresolvable')) : 500;
    const { id } = await register();
    for (const each of ['A1', 'A2']) await emit(each);
    await until(async () => (await rows()).every(({ tries }) => tries === 1));
    const [second, first] = (await history(id)).map(({ delivery_id }) => delivery_id);
    const detail = (deliveryId = '', webhookId = id) =>
      deliveryDetail(given.harness, given.caller, webhookId, deliveryId);
    expect((await detail(first)).attempts).toMatchObject([{ status_code: 500, cause: 'server_error' }]);
    expect((await detail(second)).attempts).toMatchObject([{ answer: null, cause: 'nowhere' }]);
    const sibling = { ...(await given.harness.newNumber()), accountId: given.number.accountId };
    const other = await registerWebhook(given.harness, sibling, { messages_url: HOOK });
    await expect(detail(first, other.id)).rejects.toMatchObject({ code: 'delivery_not_found' });
    await expect(detail('dl_zzzz')).rejects.toMatchObject({ code: 'delivery_not_found' });
  });

  test('what a process leaves behind when it dies is delivered by the next one, on schedule', async () => {
    await stopAll();
    const { id } = await register();
    await emit('A1');
    await emit('A2');
    // The first process has another clock and receives nothing; soon only its leases are left.
    const doomed = createReceivers(given.harness.clock);
    doomed.answer = () => new Promise(() => {});
    const elsewhere = createHarness(testStore.store);
    elsewhere.clock.advance(given.harness.clock.now() - elsewhere.clock.now());
    elsewhere.deliverWith(doomed);
    await until(() => doomed.open === 1);

    given.start();
    if (testStore.store.dialect === 'postgres') {
      given.harness.clock.advance(29 * SECOND);
      expect(given.receivers.received).toEqual([]);
      given.harness.clock.advance(3 * SECOND);
    }
    await until(async () => (await history(id, { status: 'delivered' })).length === 2);
    expect(receivedIds()).toEqual(['A1', 'A2']);
  });

  // Only PostgreSQL lets several processes in.
  test.skipIf(database === 'SQLite')('reads nothing of a lane that another process holds', async () => {
    given.receivers.answer = () => new Promise(() => {});
    await register();
    await emit('one');
    await until(() => given.receivers.open === 1);
    const { store } = testStore;
    const commands: string[] = [];
    const readings: string[] = [];
    const ask: Store['ask'] = (reading, input) => {
      readings.push(reading.name);
      return store.ask(reading, input);
    };
    const run: Store['run'] = (command, item) => {
      commands.push(command.name);
      return store.run(command, item);
    };
    given.start(given.receivers, { store: { ...store, ask, run } });
    await until(() => commands.includes('webhooks.claim-lane'));
    await emit('two');
    await stopAll();
    expect(readings).toEqual([]);
  });

  test.skipIf(database === 'SQLite')(
    'several processes share the lanes, and none of them does what another has in hand',
    async () => {
      const store = await testStore.openAgain();
      const seconds = createReceivers(given.harness.clock);
      given.start(seconds, { store });
      const numbers = await Promise.all(Array.from({ length: 10 }, () => given.harness.newNumber()));
      for (const [index, each] of numbers.entries())
        await registerWebhook(given.harness, each, { messages_url: `${HOOK}/${index}` });
      await Promise.all(
        Array.from({ length: 100 }, (_, index) => {
          const id = `M${index}`;
          return given.harness.log.emit([
            { ...(numbers[index % 10] ?? given.number), key: id, event: textEvent(id) },
          ]);
        }),
      );
      const all = () => [...given.receivers.received, ...seconds.received];
      await until(() => {
        // A lane that another process has is asked for again after a while.
        given.harness.clock.advance(100);
        return all().length === 100;
      });
      expect(new Set(all().map(({ headers }) => headers['X-Message-ID'])).size).toBe(100);
      const lanesOf = ({ received }: Receivers) => new Set(received.map(({ url }) => url));
      expect(lanesOf(given.receivers).intersection(lanesOf(seconds))).toEqual(new Set());
    },
  );
}
