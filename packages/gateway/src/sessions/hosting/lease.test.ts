import { expect, it, vi } from 'vitest';
import { createSystemClock, systemRandom } from '#kernel';
import { useStore } from '#testing';
import { createLease, LEASE_MS } from './lease.ts';

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

it('ends by the clock alone, before its alarm has rung', async () => {
  const clock = createSleepyClock();
  const onLost = vi.fn();
  const lease = createLease({
    store: testStore.store,
    clock,
    random: systemRandom,
    sealedBox: { keyIds: [] },
    log: { info() {}, warn() {} },
    machine: 'test',
    alone: false,
    onHeld() {},
    onLost,
  });
  expect(lease.holds()).toBe(false);
  await lease.start();
  expect(lease.holds()).toBe(true);
  clock.sleepFor(LEASE_MS);
  expect(lease.holds()).toBe(false);
  expect(onLost).not.toHaveBeenCalled();
  await lease.release();
});
