import { setImmediate as turn } from 'node:timers/promises';
import { createWorld } from '@parley/sandbox/world';
import type { KyselyPlugin } from 'kysely';
import { expect, it, vi } from 'vitest';
import { createLocalBus } from '#bus';
import { createEventLog } from '#event-log';
import { createSealedBox, createSteppedClock, createSystemClock, systemRandom } from '#kernel';
import { createFakeDriver } from '#network/testing/fake';
import { useStore } from '#testing';
import { createWorker } from './worker.ts';

const testStore = useStore('SQLite');

/** Holds back the answers to one kind of question until it is opened, and counts who asks. */
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

it('compares what it hosts with the database in one go at a time, however slow that is', async () => {
  const machineClock = createSteppedClock();
  const clock = createSystemClock();
  const random = systemRandom;
  const bus = createLocalBus({ clock: machineClock });
  const sealedBox = createSealedBox({ masterKeys: [random.bytes(32)], random });
  const gate = createGate('"name":"fence"');
  const { store } = testStore;
  const renewed = vi.fn();
  const worker = createWorker({
    ...{ bus, clock, machineClock, random, sealedBox },
    store: { ...store, read: store.read.withPlugin(gate.plugin) },
    driver: createFakeDriver({ world: createWorld({ file: ':memory:', clock, random }), clock, random }),
    events: createEventLog({ store, bus, sealedBox, clock, deliveriesAreTold: false }),
    log: { info() {}, warn() {} },
    onNetworkEvents: async () => {},
    onStanding() {},
    onKnownPeople: async () => {},
    onPast: () => undefined,
    actions: [],
    machine: 'test',
    alone: false,
    onLeased: renewed,
  });
  await worker.start();
  await vi.waitFor(() => expect(gate.asked()).toBe(1));
  for (let renewals = 2; renewals <= 4; renewals++) {
    machineClock.advance(3_000);
    await vi.waitFor(() => expect(renewed).toHaveBeenCalledTimes(renewals));
    await turn();
  }
  expect(gate.asked()).toBe(1);
  gate.open();
  // One more for all who asked meanwhile.
  await vi.waitFor(() => expect(gate.asked()).toBe(2));
  await worker.stop();
  expect(gate.asked()).toBe(2);
});
