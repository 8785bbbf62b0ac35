import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from './time/clock.ts';
import { type JobLog, type PeriodicJob, startPeriodicJob } from './time/periodic-job.ts';

const LOOK_EVERY_MS = 15_000;
/** Share of the time between two checks; a thread that answers requests must not pause for a moment. */
const IDLE_BELOW = 0.02;
/** Of what was left the last time. */
const MIN_RECLAIMABLE_BYTES = 1.25;

/** Memory and load of this thread. */
export interface MemoryHolder {
  /** Event loop utilization since `before`. */
  busyness(before?: EventLoopUtilization): EventLoopUtilization;
  /** Heap in use, garbage and free space. */
  heldBytes(): number;
  collect(): void;
}

/**
 * Returns memory after a busy time. V8 collects garbage only as it accumulates, so that an idle thread would keep what its start used,
 * half as much again as it needs. It takes a moment of processor time, and runs only while the thread is idle.
 */
export function collectGarbageWhenIdle({
  clock,
  log,
  holder = thisThread,
}: {
  clock: Pick<Clock, 'sleep' | 'monotonic'>;
  log: JobLog;
  holder?: MemoryHolder;
}): PeriodicJob {
  let before = holder.busyness();
  // The amount of garbage after a start is unknown.
  let leftBytes = 0;
  return startPeriodicJob({
    clock,
    log,
    firstAfterMs: LOOK_EVERY_MS,
    everyMs: LOOK_EVERY_MS,
    name: 'idle-memory',
    async work() {
      const { utilization } = holder.busyness(before);
      before = holder.busyness();
      if (utilization > IDLE_BELOW || holder.heldBytes() < leftBytes * MIN_RECLAIMABLE_BYTES) return;
      holder.collect();
      leftBytes = holder.heldBytes();
    },
  });
}

/** V8's own function to collect all garbage and return memory, exposed only by a flag. */
type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;
let found: Collect | undefined;

export const thisThread: MemoryHolder = {
  busyness: (before) => performance.eventLoopUtilization(before),
  heldBytes: () => process.memoryUsage().heapTotal,
  collect() {
    found ??= findCollector();
    found({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  },
};

function findCollector(): Collect {
  setFlagsFromString('--expose-gc');
  // A new context has the function that the flag exposes.
  return runInNewContext('gc') as Collect;
}
