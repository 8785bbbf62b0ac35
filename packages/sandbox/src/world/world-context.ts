import { type Database, isPassingFailure, openDatabase } from './persistence/database.ts';
import { createRandomValues, type RandomValues } from './rules/random-values.ts';
import type { Clock, Random } from './types.ts';

/** What every part of the world uses. */
export interface WorldContext {
  db: Database;
  clock: Clock;
  randomValues: RandomValues;
  /** Runs one action: a transaction, then the deferred work after its caller has the answer. */
  act<T>(run: () => T): T;
  /**
   * Defers work until the action is committed and its caller has gone on, once per key; dropped when the action fails. So the ack
   * of a send always leaves before the receipts that it causes. Only inside an action.
   */
  afterCommit(key: string, run: () => void): void;
  /** Runs background work, and retries after a pause while the disk refuses: an error thrown from a timer would end the process. */
  runInBackground(run: () => void): void;
}

const RETRY_MS = 1_000;

export interface WorldContextOptions {
  /** Path of the database file, or `:memory:`. */
  file: string;
  clock: Clock;
  random: Random;
}

export function createWorldContext({ file, clock, random }: WorldContextOptions): WorldContext {
  const db = openDatabase(file);
  let deferred = new Map<string, () => void>();

  function runInBackground(run: () => void): void {
    if (!db.isOpen) return;
    try {
      run();
    } catch (error) {
      if (!isPassingFailure(error)) throw error;
      clock.after(RETRY_MS, () => runInBackground(run));
    }
  }

  return {
    db,
    clock,
    randomValues: createRandomValues(random),
    act(run) {
      if (db.inTransaction()) return db.transaction(run);
      const mine = new Map<string, () => void>();
      deferred = mine;
      const result = db.transaction(run);
      if (mine.size > 0) queueMicrotask(() => mine.forEach(runInBackground));
      return result;
    },
    afterCommit(key, run) {
      deferred.set(key, run);
    },
    runInBackground,
  };
}
