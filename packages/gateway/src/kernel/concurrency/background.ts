import type { Clock } from '../time/clock.ts';

/** Log of failures in background work. */
export interface FailureLog {
  warn(details: object, message: string): void;
}

/** Lets `work` continue in the background. A failure is logged with `complaint`. */
export function inBackground(work: Promise<unknown>, log: FailureLog, complaint: string): void {
  work.catch((error: unknown) => log.warn({ err: error }, complaint));
}

/** Failed work that nothing waited for. */
export interface Failure {
  readonly complaint: string;
  readonly error: unknown;
}

/** The log of each gateway in this thread listens. */
const listeners = new Set<(failure: Failure) => void>();

/** For `catch`, in code without a log: the failure becomes a log line, or, without a listener, a warning that Node.js prints. */
export function warnOf(complaint: string): (error: unknown) => undefined {
  return (error) => {
    for (const listener of listeners) listener({ complaint, error });
    if (listeners.size === 0) process.emitWarning(new Error(complaint, { cause: error }));
    return undefined;
  };
}

export function onFailure(listener: (failure: Failure) => void): { stop(): void } {
  listeners.add(listener);
  return { stop: () => void listeners.delete(listener) };
}

/** Marks work that handles its own failures. An escaping one is a bug: it ends the process, which logs it. */
export function neverRejects(_work: Promise<unknown>): void {
  // Node.js reports an unhandled rejection to the process.
}

/** Marks work that is awaited later: its rejection is handled there, and does not count as unhandled until then. */
export function awaitedLater(work: Promise<unknown>): void {
  neverRejects(Promise.allSettled([work]));
}

/** Resolves when `work` has ended, with any outcome: callers that await `work` handle its failure. */
export async function settled(work: Promise<unknown>): Promise<void> {
  await Promise.allSettled([work]);
}

/** Resolves after `delayMs`, or at once when `signal` aborts. */
export async function sleepOrAbort(
  clock: Pick<Clock, 'sleep'>,
  delayMs: number,
  signal: AbortSignal,
): Promise<void> {
  try {
    await clock.sleep(delayMs, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** For `catch`: a missing file or folder is expected; every other error is thrown. */
export function unlessMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && MISSING.has(error.code)) return undefined;
  throw error;
}

/** ENOTDIR: a folder in the path is a file. */
const MISSING = new Set<unknown>(['ENOENT', 'ENOTDIR']);
