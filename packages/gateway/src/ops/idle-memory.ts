import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Clock, type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';

const LOOK_EVERY_MS = 15_000;
/** Of the time between two looks; what answers nobody may stop for a moment. */
const IDLE_BELOW = 0.02;
const WORTH_IT_BYTES = 24 * 1024 * 1024;

/** V8's own way to collect what it can and give it back, which it keeps from programs unless told. */
type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

/**
 * Gives memory back that a busy time has left behind. V8 collects garbage when there is more of it, so that an idle process would keep
 * what its start took, half as much again as it needs. It takes a moment of the processor, and happens only while there is nothing else to do.
 */
export function giveBackMemoryWhenIdle({
  clock,
  log,
}: {
  clock: Pick<Clock, 'sleep'>;
  log: JobLog;
}): PeriodicJob {
  let before = performance.eventLoopUtilization();
  return startPeriodicJob({
    clock,
    log,
    firstAfterMs: LOOK_EVERY_MS,
    everyMs: LOOK_EVERY_MS,
    complaint: 'could not give memory back',
    async work() {
      const { utilization } = performance.eventLoopUtilization(before);
      before = performance.eventLoopUtilization();
      const { heapTotal, heapUsed } = process.memoryUsage();
      if (utilization > IDLE_BELOW || heapTotal - heapUsed < WORTH_IT_BYTES) return;
      collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    },
  });
}

function collector(): Collect {
  setFlagsFromString('--expose-gc');
  // A fresh context has what the flag shows.
  return runInNewContext('gc') as Collect;
}
