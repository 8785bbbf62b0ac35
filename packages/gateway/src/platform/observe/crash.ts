import { type Clock, neverRejects, waitAtMost } from '#kernel';
import { flushLog, type Log } from './log.ts';

interface Parts {
  readonly log: Log;
  readonly clock: Pick<Clock, 'after'>;
  /** Hands sessions over to others, and finishes pending writes. */
  readonly handOver: () => Promise<unknown>;
}

/** Longer than an orderly stop takes; a hung one must not keep other processes from taking over. */
const HAND_OVER_MS = 15_000;

/**
 * After an uncaught error the state is unknown: the process, or the calling thread, logs it, hands its sessions over and exits with 1.
 * Further failures on the way are logged and change nothing.
 */
export function endOnCrash({ log, clock, handOver }: Parts): void {
  let isEnding = false;

  async function end(error: unknown, origin: string): Promise<void> {
    if (isEnding) return log.error({ err: error, origin }, 'something else failed at the end');
    isEnding = true;
    process.exitCode = 1;
    log.fatal({ err: error, origin }, 'exits after an uncaught error');
    const handedOver = Promise.try(handOver).catch((failure: unknown) =>
      log.error({ err: failure }, 'could not hand over'),
    );
    if (!(await waitAtMost(clock, HAND_OVER_MS, handedOver)))
      log.error({ afterMs: HAND_OVER_MS }, 'ends without having handed over');
    flushLog(log);
    process.exit(1);
  }

  process.on('uncaughtException', (error, origin) => neverRejects(end(error, origin)));
  process.on('unhandledRejection', (reason) => neverRejects(end(reason, 'unhandledRejection')));
}
