import { beforeEach, expect, test } from 'vitest';
import type { OwnedNumber } from '#platform/http';
import type { Store } from '#platform/store';
import { describeOnEachDatabase } from '#testing';
import { registerWebhook } from '#webhooks';
import { COMMAND_MODULES, createHarness, type TestHarness } from '#webhooks/testing';
import { createPayloadReader, dropExpiredEvents } from './event-log-queries.ts';
import { textEvent } from './testing/index.ts';

const DAY = 24 * 60 * 60_000;
const STEP = 500;

describeOnEachDatabase('an event whose time is over', defineTests, 'shared by all tests', COMMAND_MODULES);

function defineTests(testStore: { readonly store: Store }): void {
  let harness: TestHarness;
  let number: OwnedNumber;

  beforeEach(async () => {
    harness = createHarness(testStore.store);
    number = await harness.newNumber();
    // What other tests have left.
    await testStore.store.transaction((trx) => trx.deleteFrom('events').execute());
  });

  const emit = (...ids: string[]) =>
    harness.log.emit(ids.map((id) => ({ ...number, key: id, event: textEvent(id) })));
  const rows = ({ accountId } = number) =>
    testStore.store.read
      .selectFrom('events')
      .select(['seq', 'event_id'])
      .where('account_id', '=', accountId)
      .orderBy('seq')
      .execute();
  const left = async (of = number) => (await rows(of)).map(({ event_id }) => event_id);
  const drop = (limit = STEP) => dropExpiredEvents(testStore.store, harness.clock.now(), limit);
  const changeDeliveries = (
    change: { status: 'pending' | 'paused' | 'dead' | 'delivered' },
    eventId?: string,
  ) =>
    testStore.store.transaction((trx) => {
      const changed = trx.updateTable('deliveries').set(change).where('account_id', '=', number.accountId);
      return (eventId === undefined ? changed : changed.where('event_id', '=', eventId)).execute();
    });

  test('is dropped to the millisecond, the oldest first, and as many as there may be at a time', async () => {
    await emit('A');
    harness.clock.advance(1);
    await emit('B', 'C');
    harness.clock.advance(3 * DAY - 2);
    expect(await drop()).toBe(0);
    harness.clock.advance(1);
    expect(await drop()).toBe(1);
    expect(await left()).toEqual(['B', 'C']);
    harness.clock.advance(1);
    await emit('D');
    expect(await drop(1)).toBe(1);
    expect(await left()).toHaveLength(2);
    expect(await drop()).toBe(1);
    expect(await left()).toEqual(['D']);
    const typing = {
      kind: 'typing',
      session_id: 'x',
      sender_jid: 'y',
      chat_jid: 'y',
      is_group: false,
    } as const;
    await harness.log.emit([
      { ...number, key: 'fleeting', event: { ...typing, typing: true, media: 'text' } },
    ]);
    harness.clock.advance(3 * DAY);
    // Its time was over long before that of the message.
    expect(await drop(1)).toBe(1);
    expect(await left()).toEqual(['D']);
  });

  test.each(['pending', 'paused', 'dead'] as const)(
    'stays whole while it is %s and may still be delivered, and is looked at again a day later',
    async (status) => {
      await registerWebhook(harness, number, { messages_url: 'https://receiver.example/' });
      await emit('A');
      await changeDeliveries({ status });
      harness.clock.advance(4 * DAY);
      expect(await drop()).toBe(1);
      const readPayloads = createPayloadReader({ ...harness, log: { error: () => {} } });
      const [{ seq = 0 } = {}] = await rows();
      expect(JSON.parse((await readPayloads([seq])).get(seq) ?? '')).toEqual(textEvent('A'));
      await changeDeliveries({ status: 'delivered' });
      harness.clock.advance(DAY - 1);
      expect(await drop()).toBe(0);
      expect(await left()).toEqual(['A']);
      harness.clock.advance(1);
      expect(await drop()).toBe(1);
      expect(await left()).toEqual([]);
    },
  );

  test('goes among others of its account that stay, and of other accounts', async () => {
    const stranger = await harness.newNumber();
    for (const each of [number, stranger])
      await registerWebhook(harness, each, { messages_url: 'https://receiver.example/' });
    await emit('A', 'B', 'C');
    await harness.log.emit([{ ...stranger, key: 'S', event: textEvent('S') }]);
    await changeDeliveries({ status: 'delivered' }, 'A');
    await changeDeliveries({ status: 'delivered' }, 'C');
    harness.clock.advance(4 * DAY);
    await emit('YOUNG');
    expect(await drop()).toBe(4);
    expect(await left()).toEqual(['B', 'YOUNG']);
    expect(await left(stranger)).toEqual(['S']);
    // Nothing is due before those that stayed are looked at again.
    expect(await drop()).toBe(0);
    await changeDeliveries({ status: 'delivered' });
    harness.clock.advance(DAY);
    expect(await drop()).toBe(2);
    expect(await left()).toEqual(['YOUNG']);
  });
}
