import { expect, test, vi } from 'vitest';
import { createSealedBox, systemRandom } from '#kernel';
import { describeOnEachDatabase, type TestStore } from '#testing';
import { registerWebhook, sendTestDelivery, updateWebhook } from '#webhooks';
import { COMMAND_MODULES, createHarness } from '#webhooks/testing';
import { createDeliveryQueue } from './delivery-queue.ts';
import { createEventLog } from './log.ts';
import { HEALTH_EVENT, textEvent } from './testing/index.ts';

const HOOK = 'https://receiver.example/hook';
const LARGEST = 1_000;

describeOnEachDatabase('a window of deliveries', defineTests, 'shared by all tests', COMMAND_MODULES);

function defineTests(testStore: TestStore): void {
  async function lane() {
    const harness = createHarness(testStore.store);
    const number = await harness.newNumber();
    const { id: webhookId } = await registerWebhook(harness, number, { messages_url: HOOK });
    const emit = (id: string, text?: string, log = harness.log) =>
      log.emit([{ ...number, key: id, event: textEvent(id, text) }]);
    const range = {
      lane: { accountId: number.accountId, url: HOOK },
      after: { dueAt: 0, seq: 0 },
      now: harness.clock.now(),
      limit: 10,
      inHand: [],
    };
    const queueWith = (options = {}) =>
      createDeliveryQueue({
        ...harness,
        log: { error: () => {} },
        largestPayload: LARGEST,
        mostBytes: 100 * LARGEST,
        ...options,
      });
    const read = (overrides = {}, options = {}) => queueWith(options).read({ ...range, ...overrides });
    return { harness, number, webhookId, emit, range, queueWith, read };
  }

  test('brings what is due in its order, each with all that travels', async () => {
    const { emit, read, webhookId } = await lane();
    for (const id of ['A', 'B', 'C']) await emit(id, `${id} 👋`);
    const { deliveries, end } = await read();
    expect(end).toBeUndefined();
    expect(deliveries.map(({ delivery: { eventId } }) => eventId)).toEqual(['A', 'B', 'C']);
    expect(deliveries.map(({ payload }) => JSON.parse(payload ?? '').text)).toEqual(['A 👋', 'B 👋', 'C 👋']);
    expect(deliveries[0]?.delivery).toMatchObject({
      webhookId,
      kind: 'message',
      category: 'messages',
      url: HOOK,
      tries: 0,
      attempts: '[]',
    });
  });

  test('has what goes beyond the specification for a webhook that asks for it, and for no other', async () => {
    const { harness, number, webhookId, read } = await lane();
    const caller = { accountId: number.accountId, permissions: null, phone: null, blocked: null };
    const emitBoth = async (key: string) => {
      await harness.log.emit([
        { ...number, key: `health of ${key}`, event: HEALTH_EVENT },
        { ...number, key, event: textEvent(key), extension: 'health' },
      ]);
      return (await read()).deliveries.map(({ delivery: { kind } }) => kind);
    };
    await updateWebhook(harness, caller, webhookId, { connection_url: HOOK });
    expect(await emitBoth('A')).toEqual([]);
    await updateWebhook(harness, caller, webhookId, { extensions: ['health'] });
    expect(await emitBoth('B')).toEqual(['health', 'message']);
    // A queued event is delivered even after its extension was removed.
    await updateWebhook(harness, caller, webhookId, { extensions: [] });
    expect(await emitBoth('C')).toEqual(['health', 'message']);
  });

  test('brings those of several lanes, each its own', async () => {
    const [one, other] = await Promise.all([lane(), lane()]);
    const lanes = [one, other];
    for (const [index, { emit }] of lanes.entries()) await emit(`of ${index}`);
    const queue = one.queueWith();
    const windows = await Promise.all(lanes.map(({ range }) => queue.read(range)));
    expect(
      windows.map(({ deliveries }) => deliveries.map(({ delivery: { webhookId } }) => webhookId)),
    ).toEqual(lanes.map(({ webhookId }) => [webhookId]));
  });

  test('ends where the next one goes on, whatever of it is in hand', async () => {
    const { emit, read } = await lane();
    for (const id of ['A', 'B', 'C', 'D']) await emit(id);
    const first = await read({ limit: 2 });
    const { deliveries, end } = await read({
      limit: 3,
      inHand: first.deliveries.map(({ delivery: { seq } }) => seq),
    });
    expect(deliveries.map(({ delivery: { eventId } }) => eventId)).toEqual(['C']);
    const rest = await read({ after: end });
    expect(rest.deliveries.map(({ delivery: { eventId } }) => eventId)).toEqual(['D']);
    expect(rest.end).toBeUndefined();
  });

  test('ends before it gets too heavy, but never without any', async () => {
    const { emit, read } = await lane();
    for (const id of ['A', 'B', 'C']) await emit(id, 'x'.repeat(LARGEST / 3));
    const first = await read({}, { mostBytes: 1 });
    expect(first.deliveries.map(({ delivery: { eventId } }) => eventId)).toEqual(['A']);
    const second = await read({ after: first.end }, { mostBytes: 2 * LARGEST });
    expect(second.deliveries.map(({ delivery: { eventId } }) => eventId)).toEqual(['B', 'C']);
    expect(second.end).toBeUndefined();
  });

  test('leaves what is large where it is, and brings test deliveries along', async () => {
    const { emit, read, harness, number, webhookId } = await lane();
    await emit('large', 'x'.repeat(LARGEST));
    const caller = { accountId: number.accountId, permissions: null, phone: null, blocked: null };
    await sendTestDelivery(harness, caller, webhookId, { category: 'messages' });
    const { deliveries } = await read();
    expect(deliveries.map(({ payload }) => payload === undefined)).toEqual([true, false]);
    expect(deliveries[1]?.delivery.eventSeq).toBeNull();
    expect(JSON.parse(deliveries[1]?.payload ?? '')).toMatchObject({ kind: 'message' });
  });

  test('gives the payload of a large one when its turn comes, unless it is gone by then', async () => {
    const { emit, read, harness, number, webhookId, queueWith } = await lane();
    await emit('large', 'x'.repeat(LARGEST));
    await emit('small');
    const caller = { accountId: number.accountId, permissions: null, phone: null, blocked: null };
    await sendTestDelivery(harness, caller, webhookId, { category: 'messages' });
    const { deliveries } = await read();
    const queue = queueWith();
    const textsOf = async () =>
      (await Promise.all(deliveries.map((each) => queue.payloadOf(each)))).map(
        (payload) => payload && JSON.parse(payload).message_id,
      );
    expect(await textsOf()).toEqual(['large', 'small', expect.any(String)]);
    await testStore.store.transaction((trx) =>
      trx.deleteFrom('events').where('account_id', '=', number.accountId).execute(),
    );
    expect(await textsOf()).toEqual([undefined, 'small', expect.any(String)]);
  });

  test('keeps the order of a chat for the first attempt alone', async () => {
    const { emit, read, number, harness } = await lane();
    await emit('A');
    const chats = async (now = harness.clock.now()) =>
      (await read({ now })).deliveries.map(({ chat }) => chat);
    expect(await chats()).toEqual([expect.stringMatching(/ 15550002001@s\.whatsapp\.net$/)]);
    await testStore.store.transaction((trx) =>
      trx.updateTable('deliveries').set({ tries: 1 }).where('account_id', '=', number.accountId).execute(),
    );
    expect(await chats()).toEqual([undefined]);
    // What is not due yet is not brought.
    expect(await chats(harness.clock.now() - 1)).toEqual([]);
  });

  test('does without what cannot be opened any more', async () => {
    const { emit, read, harness } = await lane();
    const masterKeys = [systemRandom.bytes(32)] as const;
    const sealedBox = createSealedBox({ masterKeys, random: systemRandom });
    await emit('lost', 'sealed under a key that is gone', createEventLog({ ...harness, sealedBox }));
    await emit('kept');
    const error = vi.fn();
    const { deliveries } = await read({}, { log: { error } });
    expect(deliveries.map(({ payload }) => payload === undefined)).toEqual([true, false]);
    const why = 'sealed under a master key that is not configured';
    expect(error).toHaveBeenCalledExactlyOnceWith(
      { event: deliveries[0]?.delivery.eventSeq, why },
      expect.any(String),
    );
  });
}
