import { availableParallelism, totalmem } from 'node:os';
import type { Config } from '#config';

const MB = 1024 * 1024;

/** Memory of the machine, or of the container of this process. */
export function memoryOfProcess(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/**
 * Heap limit of a thread, in MB. V8's own limit ignores other threads: together they would use more than there is, and the machine
 * would end the process; beyond a limit of its own only the thread ends.
 */
export function heapLimitMb(
  { share, leastMb, mostMb }: { share: number; leastMb: number; mostMb: number },
  memoryBytes = memoryOfProcess(),
): number {
  return Math.floor(Math.min(Math.max((memoryBytes * share) / MB, leastMb), mostMb));
}

interface Circumstances {
  readonly database: 'sqlite' | 'postgres';
  readonly countNumbers: () => Promise<number>;
  readonly cores?: number;
}

/** From this many numbers on, a thread is worth its memory. */
const NUMBERS_OF_A_THREAD = 50;

/**
 * Number of hosting threads for this process; 0: the main thread hosts. On PostgreSQL `auto` uses none: each thread would take
 * connections that the operator must allow, and processes share the numbers anyway.
 */
export async function chooseThreadCount(
  { hostThreads, roles }: Pick<Config, 'hostThreads' | 'roles'>,
  { database, countNumbers, cores = availableParallelism() }: Circumstances,
): Promise<number> {
  if (hostThreads !== 'auto') return hostThreads;
  if (database !== 'sqlite' || !roles.has('worker')) return 0;
  const wanted = Math.floor((await countNumbers()) / NUMBERS_OF_A_THREAD);
  return Math.min(wanted, Math.max(cores - 1, 1));
}
