import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { textEvent } from '#events/testing';
import type { OwnedNumber } from '#platform/http';
import { useStore } from '#testing';
import { registerWebhook } from '../endpoints/configuration.ts';
import {
  COMMAND_MODULES,
  createHarness,
  createReceivers,
  type Receivers,
  type TestHarness,
} from '../testing/index.ts';
import type { Deliveries } from './deliveries.ts';

const SECOND = 1_000;
const testStore = useStore('SQLite', 'new for each test', COMMAND_MODULES);

let harness: TestHarness;
let receivers: Receivers;
let deliveries: Deliveries;
const lines: object[] = [];
const silent = { debug: () => {}, warn: () => {}, error: () => {} };

beforeEach(() => {
  harness = createHarness(testStore.store);
  receivers = createReceivers(harness.clock);
  deliveries = harness.deliverWith(receivers, {
    log: { ...silent, info: (line, name) => void (name !== 'event.delivery' && lines.push(line)) },
  });
});
afterEach(async () => {
  const stopped = deliveries.stop();
  harness.clock.advance(10 * SECOND);
  await stopped;
});

async function numberAt(url: string): Promise<OwnedNumber> {
  const number = await harness.newNumber();
  await registerWebhook(harness, number, { messages_url: url });
  return number;
}

/** Each in a chat of its own. */
function emit(number: OwnedNumber, count: number): Promise<void> {
  const events = Array.from({ length: count }, (_, index) => {
    const id = `${number.phone}-${index}`;
    return { ...number, key: id, event: { ...textEvent(id), chat_jid: `${id}@s.whatsapp.net` } };
  });
  return harness.log.emit(events);
}

const requestsTo = (url: string) => receivers.received.filter((request) => request.url === url);

async function until(condition: () => unknown): Promise<void> {
  await vi.waitFor(async () => expect(await condition()).toBeTruthy(), { timeout: 10_000, interval: 5 });
}

function rowsOf({ accountId }: OwnedNumber) {
  return testStore.store.read
    .selectFrom('deliveries')
    .select(['tries', 'status'])
    .where('account_id', '=', accountId)
    .execute();
}

test('a receiver gets at most four at once, in the order in which they happened', async () => {
  const answers: (() => void)[] = [];
  receivers.answer = () => new Promise((resolve) => answers.push(() => resolve(200)));
  const number = await numberAt('https://slow.example/');
  await emit(number, 20);
  for (let answered = 0; answered < 20; answered++) {
    const expected = Math.min(answered + 4, 20);
    await until(() => receivers.received.length === expected);
    expect(receivers.open).toBe(expected - answered);
    answers[answered]?.();
  }
  const ids = receivers.received.map(({ headers }) => headers['X-Message-ID']);
  expect(ids).toEqual(Array.from({ length: 20 }, (_, index) => `${number.phone}-${index}`));
});

test('a lane is kept for the next event, and given back when none comes', async () => {
  const run = vi.spyOn(testStore.store, 'run');
  const timesRun = (name: string): number =>
    run.mock.calls.filter(([command]) => command.name === name).length;
  const number = await numberAt('https://chatty.example/');
  for (const count of [1, 2, 3]) {
    const id = `word-${count}`;
    await harness.log.emit([{ ...number, key: id, event: textEvent(id) }]);
    await until(
      async () => (await rowsOf(number)).filter(({ status }) => status === 'delivered').length === count,
    );
    harness.clock.advance(SECOND);
  }
  expect([timesRun('webhooks.claim-lane'), timesRun('webhooks.release-lane')]).toEqual([1, 0]);
  // Nothing is written about a receiver that works.
  expect(timesRun('webhooks.note-receiver')).toBe(0);
  await until(() => {
    harness.clock.advance(SECOND);
    return timesRun('webhooks.release-lane') === 1;
  });
  run.mockRestore();
});

test('sends what is queued for a leased lane as the store emitted it, without a read', async () => {
  const number = await numberAt('https://notified.example/');
  const say = (id: string) => harness.log.emit([{ ...number, key: id, event: textEvent(id) }]);
  const delivered = async (count: number) =>
    (await rowsOf(number)).filter(({ status }) => status === 'delivered').length === count;
  const ids = Array.from({ length: 12 }, (_, index) => `word-${index}`);
  const ask = vi.spyOn(testStore.store, 'ask');
  for (const [index, id] of ids.entries()) {
    await say(id);
    await until(() => delivered(index + 1));
  }
  // The first ones, before the lane was held, and what the look around brought that begins with the process.
  expect(ask.mock.calls.length).toBeLessThan(6);
  ask.mockRestore();
  expect(receivers.received.map(({ body }) => JSON.parse(body))).toEqual(ids.map((id) => textEvent(id)));
});

test('a receiver that only fails is left alone, what waits for it is not charged, and a probe brings it back', async () => {
  lines.length = 0;
  receivers.answer = () => 500;
  const number = await numberAt('https://broken.example/hook?key=hush');
  await emit(number, 100);
  // Those under way when the tenth failure came in are still counted.
  await until(() => receivers.received.length >= 10 && receivers.open === 0);
  const tried = receivers.received.length;
  expect(tried).toBeLessThan(14);
  const charged = async () => (await rowsOf(number)).reduce((sum, { tries }) => sum + tries, 0);
  await until(async () => (await charged()) === tried);

  harness.clock.advance(4 * SECOND);
  expect(receivers.received).toHaveLength(tried);
  harness.clock.advance(2 * SECOND);
  await until(() => receivers.received.length === tried + 1);
  await until(async () => (await charged()) === tried + 1);
  harness.clock.advance(8 * SECOND);
  expect(receivers.received).toHaveLength(tried + 1);

  receivers.answer = () => 200;
  harness.clock.advance(4 * SECOND);
  await until(async () =>
    (await rowsOf(number)).filter(({ tries }) => tries === 0).every(({ status }) => status === 'delivered'),
  );
  harness.clock.advance(40 * SECOND);
  await until(async () => (await rowsOf(number)).every(({ status }) => status === 'delivered'));

  // The address behind the host stays out of the log.
  const { accountId } = number;
  expect(lines).toEqual([
    { accountId, receiver: 'https://broken.example', until: expect.any(String) },
    { accountId, receiver: 'https://broken.example' },
  ]);
});

test('delays no delivery after a jump of the clock during a scan', async () => {
  await deliveries.stop();
  const { store } = testStore;
  let gate = Promise.resolve();
  const read = store.read.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => gate.then(() => result),
  });
  deliveries = harness.deliverWith(receivers, { store: { ...store, read } });
  const [early, late] = await Promise.all([
    numberAt('https://early.example/'),
    numberAt('https://late.example/'),
  ]);
  const { promise, resolve: letLook } = Promise.withResolvers<void>();
  gate = promise;
  await emit(early, 1);
  harness.clock.advance(24 * 60 * 60 * SECOND);
  await emit(late, 1);
  letLook();
  await until(() => receivers.received.length === 2);
});

test('keeps delivering to others while one receiver never answers', async () => {
  receivers.answer = ({ url }) => (url === 'https://hole.example/' ? new Promise(() => {}) : 200);
  const hole = await numberAt('https://hole.example/');
  const others = await Promise.all(
    Array.from({ length: 30 }, (_, index) => numberAt(`https://r${index}.example/`)),
  );
  await emit(hole, 500);
  await until(() => requestsTo('https://hole.example/').length === 4);
  for (const number of others) await emit(number, 10);
  await until(() => receivers.received.length === 4 + 300);
  expect(requestsTo('https://hole.example/')).toHaveLength(4);
});

test('when many lanes are slow, the slots that are left go to lanes that have none', async () => {
  const answers: (() => void)[] = [];
  receivers.answer = () => new Promise((resolve) => answers.push(() => resolve(200)));
  const numbers = await Promise.all(
    Array.from({ length: 120 }, (_, index) => numberAt(`https://r${index}.example/`)),
  );
  await Promise.all(numbers.map((number) => emit(number, 8)));
  // Half of the 512 slots are taken by fours, then every other lane gets one.
  await until(() => receivers.open === 64 * 4 + 56);
  const perLane = numbers.map((_, index) => requestsTo(`https://r${index}.example/`).length);
  expect(Math.min(...perLane)).toBeGreaterThanOrEqual(1);
  while (receivers.received.length < 960 || receivers.open > 0) {
    for (const answer of answers.splice(0)) answer();
    await new Promise((resolve) => setImmediate(resolve));
  }
});

test('two accounts with the same URL do not share their fate', async () => {
  const url = 'https://shared.example/';
  const attacker = await numberAt(url);
  const victim = await numberAt(url);
  receivers.answer = ({ body }) => (body.includes(attacker.phone) ? 401 : 200);
  await emit(attacker, 50);
  await until(async () => (await rowsOf(attacker)).filter(({ tries }) => tries === 1).length >= 10);
  await emit(victim, 20);
  await until(async () => (await rowsOf(victim)).every(({ status }) => status === 'delivered'));
});

test('stopping lets what is under way end, and leaves the rest and the lane to others', async () => {
  const answers: (() => void)[] = [];
  receivers.answer = () => new Promise((resolve) => answers.push(() => resolve(200)));
  const number = await numberAt('https://slow.example/');
  await emit(number, 10);
  await until(() => receivers.open === 4);
  const stopped = deliveries.stop();
  for (const answer of answers) answer();
  await stopped;
  const rows = await rowsOf(number);
  expect(rows.filter(({ status }) => status === 'delivered')).toHaveLength(4);
  expect(rows.filter(({ status }) => status === 'pending')).toHaveLength(6);
  expect(await testStore.store.read.selectFrom('webhook_lanes').selectAll().execute()).toEqual([]);
  expect(receivers.received).toHaveLength(4);
});

test('a payload too large to be held is fetched when its turn comes', async () => {
  const number = await numberAt('https://files.example/');
  const event = textEvent('big', 'x'.repeat(200_000));
  await harness.log.emit([{ ...number, key: 'big', event }]);
  await until(async () => (await rowsOf(number)).every(({ status }) => status === 'delivered'));
  expect(JSON.parse(receivers.received[0]?.body ?? '')).toEqual(event);
});
