import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemPlatform } from './platform.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('sleeps for the given time', async () => {
  let isOver = false;
  const slept = systemPlatform.sleep(1_000).then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(999);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await slept;
});

test('rejects with the reason of its signal, and leaves no timer', async () => {
  const leave = new AbortController();
  const slept = systemPlatform.sleep(1_000, leave.signal);
  leave.abort(new Error('enough'));
  await expect(slept).rejects.toThrow('enough');
  await expect(systemPlatform.sleep(1_000, leave.signal)).rejects.toThrow('enough');
  expect(vi.getTimerCount()).toBe(0);
});

test('removes its listener from the signal after the sleep', async () => {
  const { signal } = new AbortController();
  const slept = systemPlatform.sleep(1_000, signal);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_000);
  await slept;
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('has the time, and differing ids and random numbers', () => {
  vi.setSystemTime(1_784_365_200_000);
  expect(systemPlatform.now()).toBe(1_784_365_200_000);
  expect(systemPlatform.uuid()).not.toBe(systemPlatform.uuid());
  expect(systemPlatform.random()).toBeLessThan(1);
});
