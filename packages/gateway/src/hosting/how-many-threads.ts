import { availableParallelism } from 'node:os';
import type { Config } from '#config';

interface Circumstances {
  readonly database: 'sqlite' | 'postgres';
  readonly countNumbers: () => Promise<number>;
  readonly cores?: number;
}

/** What a thread of its own costs in memory is worth it from so many on. */
const NUMBERS_OF_A_THREAD = 50;

/**
 * How many threads of their own host the numbers of this process; 0: the main thread does. On PostgreSQL each would take connections that
 * somebody has to have allowed, and processes share the numbers anyway, so there it is never decided for the operator.
 */
export async function howManyThreads(
  { hostThreads, roles }: Pick<Config, 'hostThreads' | 'roles'>,
  { database, countNumbers, cores = availableParallelism() }: Circumstances,
): Promise<number> {
  if (hostThreads !== 'auto') return hostThreads;
  if (database !== 'sqlite' || !roles.has('worker')) return 0;
  const wanted = Math.floor((await countNumbers()) / NUMBERS_OF_A_THREAD);
  return Math.min(wanted, Math.max(cores - 1, 1));
}
