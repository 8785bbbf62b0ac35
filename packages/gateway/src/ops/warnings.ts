import { onFailure } from '#kernel';
import type { Log } from './log.ts';

/** Takes the failures over into the log that places tell of which know no log. */
export function logFailureWarnings(log: Pick<Log, 'warn'>): { stop(): void } {
  return onFailure(({ complaint, error }) => log.warn({ err: error }, complaint));
}
