import type { Clock } from '../time/clock.ts';

/** What a part needs of the log to say what failed behind its back. */
export interface FailureLog {
  warn(details: object, message: string): void;
}

/** Lets `work` go on by itself. When it fails, the log has the complaint and the error. */
export function inBackground(work: Promise<unknown>, log: FailureLog, complaint: string): void {
  work.catch((error: unknown) => log.warn({ err: error }, complaint));
}

/** Work that failed and held nothing else up. */
export interface Failure {
  readonly complaint: string;
  readonly error: unknown;
}

/** The log of each gateway in this thread listens. */
const listeners = new Set<(failure: Failure) => void>();

/** For `catch`, in places that know no log: the failure is a line of the log, and where there is none, a warning that Node.js prints. */
export function warnOf(complaint: string): (error: unknown) => undefined {
  return (error) => {
    for (const hear of listeners) hear({ complaint, error });
    if (listeners.size === 0) process.emitWarning(new Error(complaint, { cause: error }));
    return undefined;
  };
}

export function onFailure(hear: (failure: Failure) => void): { stop(): void } {
  listeners.add(hear);
  return { stop: () => void listeners.delete(hear) };
}

/** For work that handles its own failures. One that escapes it is a defect: it ends the process, which logs it. */
export function neverRejects(_work: Promise<unknown>): void {
  // Node.js itself tells the process of a rejection that nothing handles.
}

/** For work that is awaited later: its rejection is handled there, and does not count as unhandled until then. */
export function awaitedLater(work: Promise<unknown>): void {
  neverRejects(Promise.allSettled([work]));
}

/** Resolves when `work` is over, however it ended: its failure belongs to those who await `work` itself. */
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

/** For `catch`: the file or folder is not there, which was expected; every other error is thrown. */
export function unlessMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && MISSING.has(error.code)) return undefined;
  throw error;
}

/** The second: what should be a folder of its path is a file. */
const MISSING = new Set<unknown>(['ENOENT', 'ENOTDIR']);
