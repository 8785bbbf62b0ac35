import type { Clock } from '#kernel';

export interface Chore {
  /** Lets the work under way come to an end. */
  stop(): Promise<void>;
}

export interface ChoreLog {
  error(details: object, message: string): void;
}

/** Works now and every so often, until it is stopped. What fails is logged and tried again the next time. */
export function startChore({
  clock,
  everyMs,
  work,
  log,
  complaint,
}: {
  clock: Pick<Clock, 'sleep'>;
  everyMs: number;
  work: (stopping: AbortSignal) => Promise<void>;
  log: ChoreLog;
  /** What the log says when the work fails. */
  complaint: string;
}): Chore {
  const stop = new AbortController();
  const { signal } = stop;
  const done = keepWorking();

  async function keepWorking(): Promise<void> {
    while (!signal.aborted) {
      await work(signal).catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error }, complaint);
      });
      // Cut short by the stop, and by nothing else.
      await clock.sleep(everyMs, signal).catch(() => {});
    }
  }

  return {
    stop() {
      stop.abort();
      return done;
    },
  };
}
