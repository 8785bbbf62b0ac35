import { afterEach, expect, it, vi } from 'vitest';
import { createSteppedClock, type PeriodicJob } from '#kernel';
import { giveBackMemoryWhenIdle, thisProcess } from './idle-memory.ts';

const MB = 1024 * 1024;
const LOOK_MS = 15_000;
let job: PeriodicJob | undefined;
afterEach(async () => job?.stop());

/** What becomes of a process that was so busy, and holds so much more than it uses. */
async function collections(utilization: number, spareBytes: number): Promise<number> {
  const clock = createSteppedClock();
  const collect = vi.fn();
  const looked = vi.fn(() => ({ idle: 0, active: 0, utilization }));
  const holder = { busyness: looked, spareBytes: () => spareBytes, collect };
  job = giveBackMemoryWhenIdle({ clock, log: { error: () => {} } as never, holder });
  for (let looks = 1; looks <= 2; looks++) {
    clock.advance(LOOK_MS);
    await vi.waitFor(() => expect(looked).toHaveBeenCalledTimes(1 + looks * 2));
  }
  return collect.mock.calls.length;
}

it('gives memory back while there is nothing else to do', async () => {
  expect(await collections(0.001, 60 * MB)).toBe(2);
});

it('holds up nobody for it', async () => {
  expect(await collections(0.05, 60 * MB)).toBe(0);
});

it('does nothing for little', async () => {
  expect(await collections(0.001, 10 * MB)).toBe(0);
});

it('knows how V8 is asked', () => {
  let garbage: object[] | undefined = Array.from({ length: 300_000 }, (_, index) => ({ index }));
  const held = process.memoryUsage().heapUsed;
  expect(garbage.length).toBe(300_000);
  garbage = undefined;
  thisProcess.collect();
  expect(process.memoryUsage().heapUsed).toBeLessThan(held);
});
