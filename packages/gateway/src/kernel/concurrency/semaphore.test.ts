import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

test('lets so many through at once, the others in the order in which they came', async () => {
  const semaphore = createSemaphore(2);
  const started: number[] = [];
  const leave = new Map<number, (value: number) => void>();
  const visits = [0, 1, 2, 3].map((visitor) =>
    semaphore.run(() => {
      started.push(visitor);
      return new Promise<number>((resolve) => leave.set(visitor, resolve));
    }),
  );
  expect(started).toEqual([0, 1]);
  leave.get(1)?.(1);
  await visits[1];
  expect(started).toEqual([0, 1, 2]);
  leave.get(0)?.(0);
  await visits[0];
  expect(started).toEqual([0, 1, 2, 3]);
});

test('whoever fails gives the permit back', async () => {
  const semaphore = createSemaphore(1);
  await expect(semaphore.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(semaphore.run(async () => 'next')).resolves.toBe('next');
});
