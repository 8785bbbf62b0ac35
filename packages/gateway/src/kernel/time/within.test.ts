import { expect, test } from 'vitest';
import { createSteppedClock } from './clock.ts';
import { waitAtMost, within } from './within.ts';

const never = new Promise<never>(() => {});
const late = () => new Error('late');

test('settles as the work does when it is in time, and cancels its timer', async () => {
  const clock = createSteppedClock();
  await expect(within(clock, 10, Promise.resolve('done'), late)).resolves.toBe('done');
  await expect(within(clock, 10, Promise.reject(new Error('no')), late)).rejects.toThrow('no');
  await expect(waitAtMost(clock, 10, Promise.resolve())).resolves.toBe(true);
});

test('does not wait for work that takes longer', async () => {
  const clock = createSteppedClock();
  const limited = within(clock, 10, never, late);
  const waiting = waitAtMost(clock, 10, never);
  clock.advance(10);
  await expect(limited).rejects.toThrow('late');
  await expect(waiting).resolves.toBe(false);
});
