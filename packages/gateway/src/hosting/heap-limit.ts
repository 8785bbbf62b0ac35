import { totalmem } from 'node:os';

const MB = 1024 * 1024;

/** What the process may use: of the machine, or of the container that it is in. */
export function memoryOfProcess(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/**
 * How large the heap of a thread may grow, in MB. V8's own limit knows of no other threads: together they would take more than there is,
 * and the machine would end the process; beyond a limit of its own only the thread ends.
 */
export function heapLimitMb(
  { share, leastMb, mostMb }: { share: number; leastMb: number; mostMb: number },
  memoryBytes = memoryOfProcess(),
): number {
  return Math.floor(Math.min(Math.max((memoryBytes * share) / MB, leastMb), mostMb));
}
