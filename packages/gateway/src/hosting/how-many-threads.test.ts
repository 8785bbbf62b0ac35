import { expect, test } from 'vitest';
import { loadConfig } from '#config';
import { howManyThreads } from './how-many-threads.ts';

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
  expect(await howManyThreads(loadConfig(env), circumstances)).toBe(threads);
});
