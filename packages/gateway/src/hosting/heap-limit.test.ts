import { expect, test } from 'vitest';
import { heapLimitMb, memoryOfProcess } from './heap-limit.ts';

const GB = 1024 ** 3;
const BOUNDS = { leastMb: 256, mostMb: 4_096 };

test.each([
  { memory: 0.5 * GB, share: 0.5, limit: 256 },
  { memory: 4 * GB, share: 0.25, limit: 1_024 },
  { memory: 64 * GB, share: 0.5, limit: 4_096 },
])('a share of $share of $memory bytes is a heap of $limit MB', ({ memory, share, limit }) => {
  expect(heapLimitMb({ share, ...BOUNDS }, memory)).toBe(limit);
});

test('a process has some memory, however it is told', () => {
  expect(memoryOfProcess()).toBeGreaterThan(64 * 1024 * 1024);
});
