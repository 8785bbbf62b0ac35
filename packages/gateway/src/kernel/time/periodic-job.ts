import { type LineLog, writeLine } from '../canonical-lines.ts';
import { sleepOrAbort } from '../concurrency/background.ts';
import type { Clock } from './clock.ts';

export interface PeriodicJob {
  /** Waits for the run in progress. */
  stop(): Promise<void>;
}

export type JobLog = LineLog<'debug' | 'error'>;

/** Waking costs more than checking: jobs with intervals of some seconds run together. */
const TOGETHER_FROM_MS = 5_000;
const SECOND_MS = 1_000;

/**
 * Runs a job now (or after a first wait) and then periodically, until it is stopped. Failures are logged; the job runs again at its
 * next time.
 */
export function startPeriodicJob({
  clock,
  firstAfterMs = 0,
  everyMs,
  work,
  log,
  name,
  onWake,
}: {
  clock: Pick<Clock, 'sleep' | 'monotonic'>;
  firstAfterMs?: number;
  everyMs: number;
  work: (stopping: AbortSignal) => Promise<void>;
  log: JobLog;
  /** Name in its log line. */
  name: string;
  /** Registers a listener that runs the job early. */
  onWake?: (wake: () => void) => void;
}): PeriodicJob {
  const stop = new AbortController();
  const { signal } = stop;
  let nap = new AbortController();
  onWake?.(() => nap.abort());

  /** Interrupted only by the stop and by waking. */
  const sleep = (ms: number): Promise<void> => sleepOrAbort(clock, ms, AbortSignal.any([signal, nap.signal]));

  async function run(): Promise<void> {
    const startedAt = clock.monotonic();
    const ms = (): number => Math.round(clock.monotonic() - startedAt);
    try {
      await work(signal);
      writeLine(log, 'debug', 'job', { job: name, outcome: 'done', ms: ms() });
    } catch (error) {
      if (!signal.aborted)
        writeLine(log, 'error', 'job', { job: name, outcome: 'failed', ms: ms(), err: error });
    }
  }

  async function keepWorking(): Promise<void> {
    if (firstAfterMs > 0) await sleep(firstAfterMs);
    while (!signal.aborted) {
      nap = new AbortController();
      await run();
      await sleep(untilWholeSecond(clock.monotonic(), everyMs));
    }
  }

  const done = keepWorking();
  return {
    stop() {
      stop.abort();
      return done;
    },
  };
}

/** Time from `now` to the last whole second before the end of `waitMs`. */
function untilWholeSecond(now: number, waitMs: number): number {
  if (waitMs < TOGETHER_FROM_MS) return waitMs;
  return Math.floor((now + waitMs) / SECOND_MS) * SECOND_MS - now;
}
