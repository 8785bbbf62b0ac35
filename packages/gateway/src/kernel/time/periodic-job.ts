import { type LineLog, writeLine } from '../canonical-lines.ts';
import { sleepOrAbort } from '../concurrency/background.ts';
import type { Clock } from './clock.ts';

export interface PeriodicJob {
  /** Lets the run under way come to an end. */
  stop(): Promise<void>;
}

export type JobLog = LineLog<'debug' | 'error'>;

/** To wake costs more than to look: those that look every few seconds do so together. */
const TOGETHER_FROM_MS = 5_000;
const SECOND_MS = 1_000;

/** Works now (or after a first wait) and then every so often, until it is stopped. What fails is logged and tried again the next time. */
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
  /** Of its line in the log. */
  name: string;
  /** Calls whenever there is work before its time. */
  onWake?: (hear: () => void) => void;
}): PeriodicJob {
  const stop = new AbortController();
  const { signal } = stop;
  let nap = new AbortController();
  onWake?.(() => nap.abort());

  /** Cut short by the stop and by waking, and by nothing else. */
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

/** How long it takes from `now` to the last whole second before the end of `waitMs`. */
function untilWholeSecond(now: number, waitMs: number): number {
  if (waitMs < TOGETHER_FROM_MS) return waitMs;
  return Math.floor((now + waitMs) / SECOND_MS) * SECOND_MS - now;
}
