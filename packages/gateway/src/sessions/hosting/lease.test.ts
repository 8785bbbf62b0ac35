import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { createSteppedClock, createSystemClock, systemRandom } from '#kernel';
import { useStore } from '#testing';
import { createLease, LEASE_MS, type LeaseParts } from './lease.ts';

const testStore = useStore('SQLite');

/** A machine whose alarms ring late: what a process sees that stood still for a while. */
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

it('ends by the clock alone, before its alarm has rung', async () => {
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

it('is had again within a second of the return of the database', async () => {
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

it('is seldom written where nobody else can be alive', async () => {
  const clock = createSteppedClock();
  const onHeld = vi.fn();
  const lease = leaseWith({ clock, onHeld, alone: true });
  await lease.start();
  clock.advance(9_999);
  await turn();
  expect(onHeld).toHaveBeenCalledOnce();
  clock.advance(1);
  await vi.waitFor(() => expect(onHeld).toHaveBeenCalledTimes(2));
  await lease.release();
});
