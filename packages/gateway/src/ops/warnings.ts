import { FailureWarning } from '#kernel';
import type { Log } from './log.ts';

/** Takes failures over into the log that were told by the process, from places that know no log. */
export function logFailureWarnings(log: Pick<Log, 'warn'>): { stop(): void } {
  const take = (warning: Error): void => {
    if (warning instanceof FailureWarning) log.warn({ err: warning.cause }, warning.message);
  };
  process.on('warning', take);
  return { stop: () => void process.off('warning', take) };
}
