import { beforeEach, expect, test } from 'vitest';
import { createSeededRandom } from '#kernel';
import { describeOnEachDatabase, type TestStore } from '#testing';
import { COMMAND_MODULES, createHarness, type TestHarness } from '../testing/index.ts';
import { noteReceiver } from '../write-commands.ts';
import { Lane } from './lane.ts';
import { createLeaseManager } from './lease-manager.ts';

const SECOND = 1_000;
const URL = 'https://receiver.example/';

describeOnEachDatabase('the lease of a lane', defineTests, 'shared by all tests', COMMAND_MODULES);

function defineTests(testStore: TestStore): void {
  let harness: TestHarness;
  let name: { accountId: string; url: string };

  beforeEach(async () => {
    harness = createHarness(testStore.store);
    const { accountId } = await harness.newNumber();
    name = { accountId, url: URL };
  });

  /** One process with its own view of the lane. */
  function processCalled(claimedBy: string) {
    const { clock } = harness;
    const leases = createLeaseManager({ store: testStore.store, clock, claimedBy });
    const lane = new Lane(name, createSeededRandom(7));
    return {
      lane,
      ask: () => leases.ask(lane),
      release: () => leases.release(lane),
      holds: () => leases.holds(lane, clock.now()),
      shouldAsk: () => leases.shouldAsk(lane, clock.now()),
    };
  }

  test('covers an attempt from beginning to end, and is renewed long before', async () => {
    const one = processCalled('one');
    expect([one.holds(), one.shouldAsk()]).toEqual([false, true]);
    await one.ask();
    harness.clock.advance(10 * SECOND);
    expect([one.holds(), one.shouldAsk()]).toEqual([true, false]);
    harness.clock.advance(1);
    expect([one.holds(), one.shouldAsk()]).toEqual([true, true]);
    harness.clock.advance(8 * SECOND - 1);
    expect(one.holds()).toBe(true);
    harness.clock.advance(1);
    expect(one.holds()).toBe(false);
    await one.ask();
    expect(one.holds()).toBe(true);
  });

  test('is asked for once at a time', async () => {
    const one = processCalled('one');
    const asked = one.ask();
    expect(one.shouldAsk()).toBe(false);
    await asked;
    harness.clock.advance(11 * SECOND);
    expect(one.shouldAsk()).toBe(true);
  });

  test('goes to another process when it is given back, and not before it has ended', async () => {
    const [one, other] = [processCalled('one'), processCalled('other')];
    await one.ask();
    // A data directory belongs to one process: another one finds only lanes of the dead.
    const isShared = testStore.store.dialect === 'postgres';
    await other.ask();
    expect(other.holds()).toBe(!isShared);
    if (!isShared) return;

    expect(other.shouldAsk()).toBe(false);
    harness.clock.advance(5 * SECOND - 1);
    expect(other.shouldAsk()).toBe(false);
    harness.clock.advance(1);
    expect(other.shouldAsk()).toBe(true);
    harness.clock.advance(25 * SECOND - 1);
    await other.ask();
    expect([other.holds(), other.shouldAsk()]).toEqual([false, false]);
    harness.clock.advance(1);
    expect(other.shouldAsk()).toBe(true);
    await other.ask();
    expect(other.holds()).toBe(true);

    // A worker that has lost the lease releases nothing.
    await one.release();
    await one.ask();
    expect(one.holds()).toBe(false);
    await other.release();
    await one.ask();
    expect([one.holds(), other.holds()]).toEqual([true, false]);
  });

  test('carries the start of the receiver’s failure over to a new holder', async () => {
    const one = processCalled('one');
    const failingSince = harness.clock.now() - SECOND;
    const failure = { cause: 'timeout', statusCode: null, probeAt: null } as const;
    const failing = { ...failure, failingSince, failedAt: failingSince };
    await one.ask();
    expect(one.lane.failing.succeeded()).toBe(false);
    await testStore.store.run(noteReceiver, { ...name, failing });
    // It writes that itself while it holds the lane.
    await one.ask();
    expect(one.lane.failing.succeeded()).toBe(false);
    harness.clock.advance(30 * SECOND);
    await one.ask();
    expect(one.lane.failing.succeeded()).toBe(true);
  });
}
