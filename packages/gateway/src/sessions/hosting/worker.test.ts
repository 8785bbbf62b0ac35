import { setImmediate as turn } from 'node:timers/promises';
import { createWorld } from '@parley/sandbox/world';
import type { KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEventLog } from '#events';
import { createSealedBox, createSteppedClock, createSystemClock, systemRandom } from '#kernel';
import { createFakeDriver } from '#network/testing/fake';
import { createLocalBus } from '#platform/bus';
import type { Store } from '#platform/store';
import { useStore } from '#testing';
import { linkNumbers } from '../testing/rows.ts';
import { createWorker } from './worker.ts';

const testStore = useStore('SQLite');

afterEach(() =>
  testStore.store.transaction(async (trx) => {
    for (const table of ['sessions', 'devices', 'accounts', 'workers', 'ending_links'] as const)
      await trx.deleteFrom(table).execute();
  }),
);

/** Holds back the answers to one kind of query until it is opened, and counts the queries. */
function createGate(mark: string) {
  const held = new WeakSet<object>();
  const opened = Promise.withResolvers<void>();
  let asked = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (JSON.stringify(node).includes(mark)) {
        held.add(queryId);
        asked++;
      }
      return node;
    },
    async transformResult({ result, queryId }) {
      if (held.has(queryId)) await opened.promise;
      return result;
    },
  };
  return { plugin, asked: () => asked, open: () => opened.resolve() };
}

/** A worker on a stepped clock, with parts of its store replaced by the test. */
function createTestWorker(replaced: Partial<Store>, onLeased?: (worker: string) => void) {
  const machineClock = createSteppedClock();
  const clock = createSystemClock();
  const random = systemRandom;
  const bus = createLocalBus({ clock: machineClock });
  const sealedBox = createSealedBox({ masterKeys: [random.bytes(32)], random });
  const store = { ...testStore.store, ...replaced };
  const driver = createFakeDriver({ world: createWorld({ file: ':memory:', clock, random }), clock, random });
  const open = vi.spyOn(driver, 'open');
  const worker = createWorker({
    ...{ store, bus, clock, machineClock, random, sealedBox, driver },
    events: createEventLog({ store: testStore.store, bus, sealedBox, clock, isNotifiedByStore: false }),
    log: { info() {}, warn() {} },
    onNetworkEvents: async () => {},
    onStanding() {},
    onKnownPeople: async () => {},
    onPast: () => undefined,
    actions: [],
    machine: 'test',
    alone: false,
    ...(onLeased && { onLeased }),
  });
  return { worker, machineClock, open };
}

it('runs one comparison with the database at a time, however slow it is', async () => {
  const gate = createGate('"name":"fence"');
  const renewed = vi.fn();
  const { worker, machineClock } = createTestWorker(
    { read: testStore.store.read.withPlugin(gate.plugin) },
    renewed,
  );
  await worker.start();
  await vi.waitFor(() => expect(gate.asked()).toBe(1));
  for (let renewals = 2; renewals <= 4; renewals++) {
    machineClock.advance(3_000);
    await vi.waitFor(() => expect(renewed).toHaveBeenCalledTimes(renewals));
    await turn();
  }
  expect(gate.asked()).toBe(1);
  gate.open();
  // One more for all that asked meanwhile.
  await vi.waitFor(() => expect(gate.asked()).toBe(2));
  await worker.stop();
  expect(gate.asked()).toBe(2);
});

/** A worker whose first claim, of a session or of an unlink job, is written, and whose answer is late. */
async function claiming() {
  const { store } = testStore;
  const claimed = Promise.withResolvers<void>();
  const late = Promise.withResolvers<void>();
  const test = createTestWorker({
    async transaction(work) {
      const answer = await store.transaction(work);
      if (Array.isArray(answer) && answer.length > 0) {
        claimed.resolve();
        await late.promise;
      }
      return answer;
    },
  });
  await test.worker.start();
  await claimed.promise;
  return { ...test, answer: () => late.resolve() };
}

it('keeps its lease until an unlink job under way is released', async () => {
  const { store } = testStore;
  const job = { link_id: 'ending', fence: 1, since: 0, taken_until: 0 };
  await store.transaction((trx) => trx.insertInto('ending_links').values(job).execute());
  const { worker, answer } = await claiming();
  const stopped = worker.stop();
  const workers = () => store.read.selectFrom('workers').select('worker').execute();
  // Later than all that the stopping writes.
  for (let each = 0; each < 10; each++) {
    await turn();
    await store.transaction((trx) => trx.deleteFrom('workers').where('worker', '=', 'another').execute());
  }
  expect(await workers()).toHaveLength(1);
  answer();
  await stopped;
  expect(await workers()).toEqual([]);
  expect(await store.read.selectFrom('ending_links').selectAll().execute()).toMatchObject([
    { ...job, fence: 2 },
  ]);
});

describe('hosts no session of a claim', () => {
  beforeEach(() => linkNumbers(testStore.store, 1));

  it('after the lease under which it was made is lost', async () => {
    const { worker, machineClock, open, answer } = await claiming();
    machineClock.advance(9_000);
    expect(worker.figures()).toMatchObject({ worker: undefined });
    answer();
    await worker.stop();
    expect(open).not.toHaveBeenCalled();
    expect(worker.figures()).toMatchObject({ hosted: 0 });
  });

  it('after it has begun to stop', async () => {
    const { worker, open, answer } = await claiming();
    const stopped = worker.stop();
    await turn();
    answer();
    await stopped;
    expect(open).not.toHaveBeenCalled();
    expect(worker.figures()).toMatchObject({ hosted: 0 });
  });
});
