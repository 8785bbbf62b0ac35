import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from './time/clock.ts';
import { type JobLog, type PeriodicJob, startPeriodicJob } from './time/periodic-job.ts';

const LOOK_EVERY_MS = 15_000;
/** Of the time between two looks; what answers nobody may stop for a moment. */
const IDLE_BELOW = 0.02;
/** Of what was left the last time. */
const WORTH_IT_FROM = 1.25;

/** This thread as far as its memory goes. */
export interface MemoryHolder {
  /** How much of the time since `before` there was something to do. */
  busyness(before?: EventLoopUtilization): EventLoopUtilization;
  /** What is in use, what is garbage, and what lies ready for more. */
  heldBytes(): number;
  collect(): void;
}

/**
 * Gives memory back that a busy time has left behind. V8 collects garbage when there is more of it, so that an idle thread would keep
 * what its start took, half as much again as it needs. It takes a moment of the processor, and happens only while there is nothing else to do.
 */
export function giveBackMemoryWhenIdle({
  clock,
  log,
  holder = thisThread,
}: {
  clock: Pick<Clock, 'sleep' | 'monotonic'>;
  log: JobLog;
  holder?: MemoryHolder;
}): PeriodicJob {
  let before = holder.busyness();
  // Of a start nobody knows how much is garbage.
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
      if (utilization > IDLE_BELOW || holder.heldBytes() < leftBytes * WORTH_IT_FROM) return;
      holder.collect();
      leftBytes = holder.heldBytes();
    },
  });
}

/** V8's own way to collect what it can and give it back, which it keeps from programs unless told. */
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
  // A fresh context has what the flag shows.
  return runInNewContext('gc') as Collect;
}
