import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { createSteppedClock, createSystemClock, systemRandom } from '#kernel';
import { useStore } from '#testing';
import { createLease, LEASE_MS, type LeaseParts } from './lease.ts';

const testStore = useStore('SQLite');

/** A machine whose timers fire late, as a process that stood still sees it. */
function createSleepyClock() {
  let slept = 0;
  const clock = createSystemClock();
  return {
    sleepFor: (ms: number) => {
      slept += ms;
    },
    now: () => clock.now() + slept,
    monotonic: () => clock.monotonic() + slept,
    after: () => ({ cancel() {} }),
    sleep: clock.sleep.bind(clock),
  };
}

function leaseWith(parts: Partial<LeaseParts> & Pick<LeaseParts, 'clock'>) {
  return createLease({
    store: testStore.store,
    random: systemRandom,
    sealedBox: { keyIds: [] },
    log: { info() {}, warn() {} },
    machine: 'test',
    alone: false,
    onHeld() {},
    onLost() {},
    ...parts,
  });
}

it('ends by the clock alone, before its timer has fired', async () => {
  const clock = createSleepyClock();
  const onLost = vi.fn();
  const lease = leaseWith({ clock, onLost });
  expect(lease.holds()).toBe(false);
  await lease.start();
  expect(lease.holds()).toBe(true);
  clock.sleepFor(LEASE_MS);
  expect(lease.holds()).toBe(false);
  expect(onLost).not.toHaveBeenCalled();
  await lease.release();
});

it('is not revived by a machine that was suspended, whose monotonic clock has not noticed', async () => {
  const clock = createSteppedClock();
  const onLost = vi.fn();
  const warn = vi.fn();
  let suspendedMs = 0;
  const lease = leaseWith({
    clock: {
      now: () => clock.now() + suspendedMs,
      monotonic: () => clock.monotonic(),
      after: (ms, action) => clock.after(ms, action),
      sleep: (ms, signal) => clock.sleep(ms, signal),
    },
    onLost,
    log: { info() {}, warn },
  });
  await lease.start();
  const { worker: first } = lease;
  suspendedMs = LEASE_MS - 3_000;
  clock.advance(3_000);
  await vi.waitFor(() => expect(onLost).toHaveBeenCalledOnce());
  expect(lease.worker).toBeUndefined();
  expect(warn).toHaveBeenCalledWith({ worker: first, reason: 'it had lapsed' }, expect.anything());
  await lease.release();
});

it('ends a second before it lapses when it cannot be renewed', async () => {
  const clock = createSteppedClock();
  const onLost = vi.fn();
  let isReachable = true;
  const { store } = testStore;
  const lease = leaseWith({
    clock,
    onLost,
    store: {
      ...store,
      transaction: (work) =>
        isReachable ? store.transaction(work) : Promise.reject(new Error('out of reach')),
    },
  });
  await lease.start();
  isReachable = false;
  clock.advance(LEASE_MS - 1_001);
  expect(lease.holds()).toBe(true);
  expect(onLost).not.toHaveBeenCalled();
  clock.advance(1);
  expect(lease.holds()).toBe(false);
  expect(onLost).toHaveBeenCalledOnce();
  await lease.release();
});

it('does not start with a registration that took almost as long as a lease, but with the next one', async () => {
  const clock = createSteppedClock();
  const onHeld = vi.fn();
  const { store } = testStore;
  let slowness = LEASE_MS - 1_000;
  const lease = leaseWith({
    clock,
    onHeld,
    store: {
      ...store,
      async transaction(work) {
        const answer = await store.transaction(work);
        clock.advance(slowness);
        return answer;
      },
    },
  });
  await lease.start();
  expect(lease.worker).toBeUndefined();
  expect(lease.holds()).toBe(false);
  expect(onHeld).not.toHaveBeenCalled();
  slowness = LEASE_MS - 1_001;
  clock.advance(1_000);
  await vi.waitFor(() => expect(onHeld).toHaveBeenCalledOnce());
  expect(lease.holds()).toBe(true);
  await lease.release();
});

it('leaves nothing behind when it is released while it is being acquired again', async () => {
  const clock = createSteppedClock();
  const { store } = testStore;
  let gate = Promise.resolve();
  let last: Promise<unknown> = gate;
  const lease = leaseWith({
    clock,
    store: {
      ...store,
      transaction(work) {
        const answer = gate.then(() => store.transaction(work));
        last = answer;
        return answer;
      },
    },
  });
  await lease.start();
  await store.transaction((trx) => trx.deleteFrom('workers').execute());
  clock.advance(3_000);
  await vi.waitFor(() => expect(lease.worker).toBeUndefined());
  await turn();
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  clock.advance(1_000);
  const acquiring = last;
  const released = lease.release();
  resolve();
  await Promise.all([released, acquiring]);
  expect(await store.read.selectFrom('workers').select('worker').execute()).toEqual([]);
});

it('is acquired again within a second of the return of the database', async () => {
  const clock = createSteppedClock();
  let isReachable = true;
  const { store } = testStore;
  const onHeld = vi.fn();
  const attempts = vi.fn();
  const lease = leaseWith({
    clock,
    onHeld,
    store: {
      ...store,
      transaction(work) {
        attempts();
        return isReachable ? store.transaction(work) : Promise.reject(new Error('out of reach'));
      },
    },
  });
  await lease.start();
  const first = lease.worker;
  isReachable = false;
  for (let tries = 1; tries <= 8; tries++) {
    clock.advance(tries === 1 ? 3_000 : 1_000);
    await turn();
    expect(attempts).toHaveBeenCalledTimes(1 + tries);
  }
  expect(lease.worker).toBeUndefined();
  onHeld.mockClear();
  isReachable = true;
  clock.advance(1_000);
  await vi.waitFor(() => expect(onHeld).toHaveBeenCalledOnce());
  expect(lease.worker).not.toBe(first);
  await lease.release();
});

it('leaves the names of workers that are gone for ten minutes', async () => {
  const clock = createSteppedClock();
  const gone = (worker: string, msAgo: number) => {
    const at = clock.now() - msAgo;
    return { worker, started_at: at, last_seen: at, lease_expires_at: at };
  };
  await testStore.store.transaction((trx) =>
    trx
      .insertInto('workers')
      .values([gone('forgotten', 600_001), gone('shown', 600_000)])
      .execute(),
  );
  const lease = leaseWith({ clock });
  await lease.start();
  const rows = await testStore.store.read.selectFrom('workers').select('worker').execute();
  const workers = rows.map(({ worker }) => worker);
  expect(workers).toEqual(expect.arrayContaining(['shown', lease.worker]));
  expect(workers).not.toContain('forgotten');
  await lease.release();
});

it('is written rarely where no other process can be alive', async () => {
  const clock = createSteppedClock();
  const begun = clock.now();
  const lease = leaseWith({ clock, alone: true });
  await lease.start();
  const until = async () => {
    // Transactions run one after the other: one that began before is over then.
    const [row] = await testStore.store.transaction((trx) =>
      trx.selectFrom('workers').select('lease_expires_at').execute(),
    );
    return (row?.lease_expires_at ?? 0) - begun;
  };
  expect(await until()).toBe(30_000);
  clock.advance(9_999);
  expect(await until()).toBe(30_000);
  clock.advance(1);
  await vi.waitFor(async () => expect(await until()).toBe(40_000));
  await lease.release();
});
