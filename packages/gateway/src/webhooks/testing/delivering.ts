import { afterEach, beforeEach, expect, vi } from 'vitest';
import { textEvent } from '#events/testing';
import type { Caller, OwnedNumber } from '#platform/http';
import type { Store } from '#platform/store';
import type { Deliveries } from '../delivery/deliveries.ts';
import { createHarness, type TestHarness } from './harness.ts';
import { createReceivers, type Receivers } from './receivers.ts';

type DeliverOptions = Parameters<TestHarness['deliverWith']>[1];

/** A number of a fresh account, whose events are delivered to receivers that the test speaks for; new with each test. */
export interface Delivering {
  readonly harness: TestHarness;
  readonly receivers: Receivers;
  readonly number: OwnedNumber;
  readonly caller: Caller;
  /** Besides those that deliver already. */
  start(receivers?: Receivers, options?: DeliverOptions): void;
  stopAll(): Promise<void>;
  emit(id: string, text?: string): Promise<void>;
  rows(): Promise<readonly { readonly status: string; readonly tries: number }[]>;
  until(condition: () => unknown): Promise<void>;
}

const HISTORY = ['deliveries', 'failing_receivers'] as const;

export function useDelivering(testStore: { readonly store: Store }): Delivering {
  let harness: TestHarness;
  let receivers: Receivers;
  let number: OwnedNumber;
  let running: Deliveries[] = [];

  async function stopAll(): Promise<void> {
    const stopped = Promise.all(running.map((each) => each.stop()));
    harness.clock.advance(10_000);
    await stopped;
    running = [];
  }

  beforeEach(async () => {
    harness = createHarness(testStore.store);
    receivers = createReceivers(harness.clock);
    number = await harness.newNumber();
    running = [harness.deliverWith(receivers)];
  });
  afterEach(async () => {
    await stopAll();
    // Deliveries of one test are not the next one's.
    await testStore.store.transaction(async (trx) => {
      for (const table of HISTORY) await trx.deleteFrom(table).execute();
    });
  });

  return {
    get harness() {
      return harness;
    },
    get receivers() {
      return receivers;
    },
    get number() {
      return number;
    },
    get caller() {
      return { accountId: number.accountId, permissions: null, phone: null, blocked: null };
    },
    start(to = receivers, options = {}) {
      running.push(harness.deliverWith(to, options));
    },
    stopAll,
    emit: (id, text) => harness.log.emit([{ ...number, key: id, event: textEvent(id, text) }]),
    rows: () =>
      testStore.store.read
        .selectFrom('deliveries')
        .selectAll()
        .where('account_id', '=', number.accountId)
        .orderBy('seq')
        .execute(),
    async until(condition) {
      await vi.waitFor(async () => expect(await condition()).toBeTruthy(), { timeout: 30_000, interval: 5 });
    },
  };
}
