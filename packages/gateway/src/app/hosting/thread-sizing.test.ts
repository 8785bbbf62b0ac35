import { expect, test } from 'vitest';
import { loadConfig } from '#config';
import { chooseThreadCount, heapLimitMb, memoryOfProcess } from './thread-sizing.ts';

const GB = 1024 ** 3;
const BOUNDS = { leastMb: 256, mostMb: 4_096 };

test.each([
  { memory: 0.5 * GB, share: 0.5, limit: 256 },
  { memory: 4 * GB, share: 0.25, limit: 1_024 },
  { memory: 64 * GB, share: 0.5, limit: 4_096 },
])('a share of $share of $memory bytes is a heap of $limit MB', ({ memory, share, limit }) => {
  expect(heapLimitMb({ share, ...BOUNDS }, memory)).toBe(limit);
});

test('reports the memory of a process, whatever limits it', () => {
  expect(memoryOfProcess()).toBeGreaterThan(64 * 1024 * 1024);
});

const here = { database: 'sqlite', cores: 4 } as const;

test.each([
  { numbers: 0, threads: 0 },
  { numbers: 49, threads: 0 },
  { numbers: 50, threads: 1 },
  { numbers: 100, threads: 2 },
  { numbers: 5_000, threads: 3 },
  { numbers: 5_000, cores: 1, threads: 1 },
  { numbers: 5_000, database: 'postgres' as const, threads: 0 },
  { numbers: 5_000, env: { PARLEY_ROLES: 'api,webhooks' }, threads: 0 },
  { numbers: 0, env: { PARLEY_HOST_THREADS: '2' }, threads: 2 },
  { numbers: 5_000, env: { PARLEY_HOST_THREADS: '0' }, threads: 0 },
])('$threads threads host $numbers numbers: $env $database $cores', async (given) => {
  const { numbers, threads, env = {}, ...others } = given;
  const circumstances = { ...here, ...others, countNumbers: async () => numbers };
  expect(await chooseThreadCount(loadConfig(env), circumstances)).toBe(threads);
});
