import type { Clock } from '../time/clock.ts';

/** What a part needs of the log to say what failed behind its back. */
export interface FailureLog {
  warn(details: object, message: string): void;
}

/** Lets `work` go on by itself. When it fails, the log has the complaint and the error. */
export function inBackground(work: Promise<unknown>, log: FailureLog, complaint: string): void {
  work.catch((error: unknown) => log.warn({ err: error }, complaint));
}

/**
 * For `catch`, in places that know no log: the failure becomes a warning of the process, which Node.js prints and the log of the gateway
 * takes over.
 */
export function warnOf(complaint: string): (error: unknown) => undefined {
  return (error) => {
    process.emitWarning(new FailureWarning(complaint, { cause: error }));
    return undefined;
  };
}

/** Work that failed and held nothing else up. */
export class FailureWarning extends Error {
  override readonly name = 'FailureWarning';
}

/** For work that handles its own failures. One that escapes it is a defect: it ends the process, which logs it. */
export function neverRejects(_work: Promise<unknown>): void {
  // Node.js itself tells the process of a rejection that nothing handles.
}

/** For work that is awaited later: its failure belongs to whoever awaits `work`, and is not unhandled until then. */
export function awaitedLater(work: Promise<unknown>): void {
  work.then(discard, discard);
}

/** Resolves when `work` is over, however it ended: its failure belongs to those who await `work` itself. */
export function settled(work: Promise<unknown>): Promise<void> {
  return work.then(discard, discard);
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

function discard(): void {}
