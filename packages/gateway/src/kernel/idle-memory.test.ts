import { afterEach, expect, it, vi } from 'vitest';
import { collectGarbageWhenIdle, thisThread } from './idle-memory.ts';
import { createSteppedClock } from './time/clock.ts';
import type { PeriodicJob } from './time/periodic-job.ts';

const MB = 1024 * 1024;
const LOOK_MS = 15_000;
let job: PeriodicJob | undefined;
afterEach(async () => job?.stop());

/** Number of collections of a thread with this load, and this memory at one check after the other. */
async function collections(utilization: number, held: readonly number[]): Promise<number> {
  const clock = createSteppedClock();
  let look = 0;
  const collect = vi.fn();
  const looked = vi.fn(() => ({ idle: 0, active: 0, utilization }));
  const holder = { busyness: looked, heldBytes: () => (held[look] ?? 0) * MB, collect };
  job = collectGarbageWhenIdle({ clock, log: { error: () => {} } as never, holder });
  for (; look < held.length; look++) {
    clock.advance(LOOK_MS);
    await vi.waitFor(() => expect(looked).toHaveBeenCalledTimes(1 + (look + 1) * 2));
  }
  return collect.mock.calls.length;
}

it('returns the memory of a start, and nothing more while the thread is idle', async () => {
  expect(await collections(0.001, [40, 40, 45])).toBe(1);
});

it('returns the memory of a busy time', async () => {
  expect(await collections(0.001, [40, 55, 55])).toBe(2);
});

it('does not run while the thread is busy', async () => {
  expect(await collections(0.05, [60, 60])).toBe(0);
});

it('finds V8’s own function', () => {
  let garbage: object[] | undefined = Array.from({ length: 300_000 }, (_, index) => ({ index }));
  const held = process.memoryUsage().heapUsed;
  expect(garbage.length).toBe(300_000);
  garbage = undefined;
  thisThread.collect();
  expect(process.memoryUsage().heapUsed).toBeLessThan(held);
});
