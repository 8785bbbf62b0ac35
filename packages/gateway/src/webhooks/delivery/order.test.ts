import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { textEvent } from '#events/testing';
import { createSeededRandom } from '#kernel';
import type { OwnedNumber } from '#platform/http';
import { type Store, StoreError } from '#platform/store';
import { describeOnEachDatabase, type TestStore } from '#testing';
import { registerWebhook, updateWebhook } from '../endpoints/configuration.ts';
import { deliveryId, redeliver } from '../history/history.ts';
import {
  COMMAND_MODULES,
  createHarness,
  createReceivers,
  type Received,
  type Receivers,
  type TestHarness,
} from '../testing/index.ts';
import type { Deliveries } from './deliveries.ts';

const SECOND = 1_000;
const HOOK = 'https://receiver.example/hook';

describeOnEachDatabase('the order of a chat', defineTests, 'shared by all tests', COMMAND_MODULES);

function defineTests(testStore: TestStore): void {
  let harness: TestHarness;
  let receivers: Receivers;
  let running: Deliveries[];
  let number: OwnedNumber;

  beforeEach(async () => {
    harness = createHarness(testStore.store);
    receivers = createReceivers(harness.clock);
    number = await harness.newNumber();
    running = [];
  });
  afterEach(async () => {
    await stopAll();
    await testStore.store.transaction((trx) => trx.deleteFrom('deliveries').execute());
  });

  async function stopAll(): Promise<void> {
    const stopped = Promise.all(running.map((each) => each.stop()));
    harness.clock.advance(10 * SECOND);
    await stopped;
    running = [];
  }

  const deliver = () => void running.push(harness.deliverWith(receivers));
  /** `A1`: the first event of chat A. */
  const emit = (...ids: string[]) =>
    harness.log.emit(
      ids.map((id) => ({ ...number, key: id, event: { ...textEvent(id), chat_jid: chatOf(id) } })),
    );
  const rows = () =>
    testStore.store.read
      .selectFrom('deliveries')
      .select(['seq', 'event_id', 'status', 'tries'])
      .where('account_id', '=', number.accountId)
      .orderBy('seq')
      .execute();
  const rowOf = async (id: string) => (await rows()).find(({ event_id }) => event_id === id);
  const received = () => receivers.received.map(idOf);

  async function until(condition: () => unknown): Promise<void> {
    await vi.waitFor(async () => expect(await condition()).toBeTruthy(), { timeout: 10_000, interval: 5 });
  }

  /** Holds all answers until they are released. */
  function holdAnswers() {
    const open = new Map<string, (status: number) => void>();
    receivers.answer = (request) =>
      new Promise((resolve) => {
        open.set(idOf(request), (status) => {
          open.delete(idOf(request));
          resolve(status);
        });
      });
    return open;
  }

  test('what a receiver gets of one chat has its order however long its answers take, and chats overlap', async () => {
    await registerWebhook(harness, number, { messages_url: HOOK });
    const chats = [...'ABCDEFGHIJKL'];
    for (let nth = 10; nth < 40; nth++) await emit(...chats.map((chat) => `${chat}${nth}`));
    const random = createSeededRandom(11);
    const open = holdAnswers();
    const handled: string[] = [];
    let mostAtOnce = 0;
    deliver();
    while (handled.length < 360) {
      await until(() => open.size > 0);
      mostAtOnce = Math.max(mostAtOnce, open.size);
      const ids = [...open.keys()];
      expect(new Set(ids.map(chatOf)).size, `under way together: ${ids}`).toBe(ids.length);
      const next = ids[random.below(ids.length)] ?? '';
      handled.push(next);
      open.get(next)?.(200);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(mostAtOnce).toBe(4);
    const byChat = Map.groupBy(handled, chatOf);
    for (const [chat, ids] of byChat) expect(ids, chat).toEqual([...ids].sort());
    expect(byChat.size).toBe(12);
  });

  test('two numbers that share a receiver have chats of their own, also with the same person', async () => {
    const other = { ...(await harness.newNumber()), accountId: number.accountId };
    await testStore.store.transaction((trx) =>
      trx
        .updateTable('devices')
        .set({ account_id: number.accountId })
        .where('slot_id', '=', other.slotId)
        .execute(),
    );
    await registerWebhook(harness, number, { messages_url: HOOK });
    await registerWebhook(harness, other, { messages_url: HOOK });
    const open = holdAnswers();
    deliver();
    await emit('A1', 'A2');
    await harness.log.emit([{ ...other, key: 'x', event: { ...textEvent('Z1'), chat_jid: chatOf('A1') } }]);
    await until(() => open.size === 2);
    expect(received().toSorted()).toEqual(['A1', 'Z1']);
  });

  test('a first attempt that fails goes to its own schedule, and the next of its chat goes at once', async () => {
    await registerWebhook(harness, number, { messages_url: HOOK });
    receivers.answer = (request) => (idOf(request) === 'A1' ? 500 : 200);
    deliver();
    await emit('A1', 'A2', 'A3');
    await until(async () => (await rowOf('A3'))?.status === 'delivered');
    expect(received()).toEqual(['A1', 'A2', 'A3']);

    // A retry that hangs blocks no other delivery.
    const open = holdAnswers();
    harness.clock.advance(34 * SECOND);
    await until(() => open.has('A1'));
    await emit('A4');
    await until(() => open.has('A4'));
  });

  test('a chat that hangs with a long queue behind it lets other chats pass', async () => {
    await registerWebhook(harness, number, { messages_url: HOOK });
    const open = holdAnswers();
    deliver();
    await emit(...Array.from({ length: 300 }, (_, index) => `A${1_000 + index}`), 'B1');
    await until(() => open.has('B1'));
    expect([...open.keys()]).toEqual(['A1000', 'B1']);
    // To look past all that is in hand is not done all the time.
    harness.clock.advance(SECOND);
    await emit('C1');
    await until(() => open.has('C1'));
    expect([...open.keys()]).toEqual(['A1000', 'B1', 'C1']);
  });

  test('what another process has queued is found when the word of it is lost', async () => {
    await registerWebhook(harness, number, { messages_url: HOOK });
    deliver();
    await emit('A1');
    await until(async () => (await rowOf('A1'))?.status === 'delivered');
    const elsewhere = createHarness(testStore.store);
    elsewhere.clock.advance(harness.clock.now() - elsewhere.clock.now());
    await elsewhere.log.emit([
      { ...number, key: 'A2', event: { ...textEvent('A2'), chat_jid: chatOf('A2') } },
    ]);
    harness.clock.advance(2 * SECOND);
    await until(async () => (await rowOf('A2'))?.status === 'delivered');
  });

  test('who takes over from a process that died keeps the order, and begins with what that one had under way', async () => {
    await registerWebhook(harness, number, { messages_url: HOOK });
    await emit('A1', 'B1', 'A2', 'B2', 'A3');
    const doomed = createReceivers(harness.clock);
    doomed.answer = () => new Promise(() => {});
    const elsewhere = createHarness(testStore.store);
    elsewhere.clock.advance(harness.clock.now() - elsewhere.clock.now());
    elsewhere.deliverWith(doomed);
    await until(() => doomed.open === 2);
    expect(doomed.received.map(idOf)).toEqual(['A1', 'B1']);

    const open = holdAnswers();
    deliver();
    // What it held is free on SQLite at once, on PostgreSQL when its lease has ended.
    if (testStore.store.dialect === 'postgres') harness.clock.advance(32 * SECOND);
    for (const [under, way] of [
      ['A1', 'B1'],
      ['A2', 'B1'],
      ['A3', 'B1'],
    ] as const) {
      await until(() => open.has(under) && open.has(way));
      expect(open.size).toBe(2);
      open.get(under)?.(200);
    }
    open.get('B1')?.(200);
    await until(() => open.has('B2'));
    expect(received()).toEqual(['A1', 'B1', 'A2', 'A3', 'B2']);
  });

  test('what a process that was frozen learns after another took over changes nothing', async () => {
    await registerWebhook(harness, number, { messages_url: HOOK });
    await emit('A1', 'B1');
    const answers = new Map<string, (status: number) => void>();
    const late = createReceivers(harness.clock);
    late.answer = (request) => new Promise((resolve) => answers.set(idOf(request), resolve));
    const elsewhere = createHarness(testStore.store);
    elsewhere.clock.advance(harness.clock.now() - elsewhere.clock.now());
    const frozen = elsewhere.deliverWith(late);
    await until(() => answers.size === 2);

    receivers.answer = (request) => (idOf(request) === 'A1' ? 500 : 200);
    harness.clock.advance(32 * SECOND);
    deliver();
    const settled = async () => [await rowOf('A1'), await rowOf('B1')];
    await until(async () => (await rowOf('A1'))?.tries === 1 && (await rowOf('B1'))?.status === 'delivered');
    const written = await settled();
    answers.get('A1')?.(200);
    answers.get('B1')?.(500);
    await frozen.stop();
    expect(await settled()).toEqual(written);
    expect(written).toMatchObject([
      { status: 'pending', tries: 1 },
      { status: 'delivered', tries: 0 },
    ]);
  });

  test('a process that cannot renew its lane begins nothing there that might outlast it', async () => {
    const other = { ...(await harness.newNumber()), accountId: number.accountId };
    await registerWebhook(harness, number, { messages_url: HOOK });
    await registerWebhook(harness, other, { messages_url: 'https://other.example/hook' });
    const { store } = testStore;
    let isHeld = false;
    const run = ((command: { name: string }, input: { url: string }) =>
      isHeld && command.name === 'webhooks.claim-lane' && input.url === HOOK
        ? Promise.reject(new StoreError('unavailable', 'no connection'))
        : store.run(command as never, input as never)) as Store['run'];
    running.push(harness.deliverWith(receivers, { store: { ...store, run } }));
    const open = new Map<string, (status: number) => void>();
    receivers.answer = (request) =>
      idOf(request) === 'A1' ? new Promise((resolve) => open.set('A1', resolve)) : 200;
    await emit('A1');
    await until(() => open.has('A1'));
    isHeld = true;
    harness.clock.advance(18 * SECOND + 1);
    await emit('B1');
    // What comes later, to a lane that can be had, is through; this was not even begun.
    await harness.log.emit([{ ...other, key: 'C1', event: { ...textEvent('C1'), chat_jid: chatOf('C1') } }]);
    await until(async () => (await rowOf('C1'))?.status === 'delivered');
    expect(received()).toEqual(['A1', 'C1']);
    open.get('A1')?.(200);
    isHeld = false;
    harness.clock.advance(10 * SECOND);
    await until(async () => (await rowOf('B1'))?.status === 'delivered');
  });

  test('who takes over from a process that stopped goes on where that one was', async () => {
    await registerWebhook(harness, number, { messages_url: HOOK });
    const open = holdAnswers();
    deliver();
    await emit('A1', 'A2', 'A3');
    await until(() => open.has('A1'));
    const stopped = running.pop()?.stop();
    open.get('A1')?.(200);
    await stopped;
    receivers.answer = () => 200;
    deliver();
    await until(async () => (await rows()).every(({ status }) => status === 'delivered'));
    expect(received()).toEqual(['A1', 'A2', 'A3']);
  });

  test('what was on hold goes before what comes the moment it no longer is', async () => {
    const { id } = await registerWebhook(harness, number, { messages_url: HOOK });
    deliver();
    await emit('A1');
    await until(() => received().length === 1);
    const caller = { accountId: number.accountId, permissions: null, phone: null, blocked: null };
    await updateWebhook(harness, caller, id, { paused: true });
    await emit('A2');
    // Meanwhile nothing can be looked for.
    const busy =
      sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 1000000)
      select count(*) from numbers`.execute(testStore.store.read);
    await updateWebhook(harness, caller, id, { paused: false });
    await emit('A3');
    await until(() => received().length === 3);
    expect(received()).toEqual(['A1', 'A2', 'A3']);
    await busy;
  });

  test('a delivery that is sent again by hand waits for what its chat has under way, and is waited for', async () => {
    const { id } = await registerWebhook(harness, number, { messages_url: HOOK });
    await emit('A1');
    await testStore.store.transaction((trx) =>
      trx.updateTable('deliveries').set({ status: 'dead', tries: 4 }).where('event_id', '=', 'A1').execute(),
    );
    const open = holdAnswers();
    deliver();
    await emit('A2');
    await until(() => open.has('A2'));
    const caller = { accountId: number.accountId, permissions: null, phone: null, blocked: null };
    harness.clock.advance(10);
    await redeliver(harness, caller, id, deliveryId((await rowOf('A1'))?.seq ?? 0));
    harness.clock.advance(10);
    await emit('A3', 'B1');
    await until(() => open.has('B1'));
    expect([...open.keys()]).toEqual(['A2', 'B1']);
    open.get('A2')?.(200);
    await until(() => open.has('A1'));
    expect(open.has('A3')).toBe(false);
    open.get('A1')?.(200);
    await until(() => open.has('A3'));
  });
}

function chatOf(id: string): string {
  return `${id.slice(0, 1)}@s.whatsapp.net`;
}

function idOf({ headers }: Received): string {
  return headers['X-Message-ID'] ?? '';
}
